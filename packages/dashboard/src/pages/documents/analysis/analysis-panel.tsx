import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { bodyOf, dataOf } from '../../../api/client.js';
import { every } from '../../../api/queries.js';
import { useAccount } from '../../../api/session.js';
import type { components } from '../../../api/v1-schema.js';
import { FailureAlert } from '../../../components/failure-alert.js';
import { Facts } from '../../../components/facts.js';
import { showDone, showFailure } from '../../../components/messages.js';
import { countOf, formatCount } from '../../../components/numbers.js';
import { LoadingLines } from '../../../components/page-loading.js';
import classes from '../document-page.module.css';
import { followJob, isJob, type Job } from '../follow-job.js';
import { Panel } from '../panel.js';
import { useAllowance } from '../../../components/use-allowance.js';
import { jumpToPassage, useTextMarks, type TextPanelProps } from './text-marks.js';

type Analysis = components['schemas']['Analysis'];
type Issue = components['schemas']['Issue'];

/** Maximum number of issues to list. */
const SHOWN_ISSUES = 200;
const NO_ISSUES: readonly Issue[] = [];

/** What an analysis says of the text, and where. */
export default function AnalysisPanel(props: TextPanelProps) {
  const { document, session } = props;
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  const allowance = useAllowance('documents:analyze');
  const path = useMemo(() => ({ id: document.id }), [document.id]);
  const queryKey = [accountId, 'documents', 'analysis', document.id];
  const newest = useQuery({
    queryKey,
    queryFn: async () => {
      const { data } = await bodyOf(
        api.GET('/v1/documents/{id}/analyses', { params: { path, query: { limit: 1 } } }),
      );
      return data[0] ?? null;
    },
    refetchInterval: every(false) as never,
  });
  const analyze = useMutation({
    mutationFn: async () => {
      await session.autosave.save();
      const { data: answer } = await bodyOf<{ data: Analysis | Job }>(
        api.POST('/v1/documents/{id}/analyze', { params: { path }, body: {} }),
      );
      if (!isJob(answer)) return answer;
      const { result } = await followJob(api, answer.id);
      const { analysisId } = result as { analysisId: string };
      return dataOf(
        api.GET('/v1/documents/{id}/analyses/{analysisId}', {
          params: { path: { ...path, analysisId } },
        }),
      );
    },
    onSuccess: (analysis) => {
      queryClient.setQueryData(queryKey, analysis);
    },
  });
  const dismiss = useMutation({
    mutationFn: (issue: Issue) =>
      dataOf(
        api.POST('/v1/documents/{id}/dismissals', {
          params: { path },
          body: { issueIds: [issue.id] },
        }),
      ),
    onSuccess: (_, issue) => {
      queryClient.setQueryData<Analysis | null>(
        queryKey,
        (analysis) =>
          analysis && { ...analysis, issues: analysis.issues.filter(({ id }) => id !== issue.id) },
      );
      showDone('Suggestion dismissed.');
    },
    onError: showFailure,
  });
  const analysis = newest.data ?? undefined;
  const issues = analysis?.issues ?? NO_ISSUES;
  useTextMarks(props, issues, 'issues');
  const isOld = analysis !== undefined && analysis.documentVersion < document.version;
  return (
    <Panel title="Analysis">
      <Stack gap="sm">
        <Group>
          <Button
            size="xs"
            loading={analyze.isPending}
            onClick={() => {
              analyze.mutate();
            }}
            {...allowance}
          >
            Analyze
          </Button>
          {analysis && (
            <Text size="sm" c="dimmed">
              Version {formatCount(analysis.documentVersion)}
              {isOld && ' (outdated)'}
            </Text>
          )}
        </Group>
        {analyze.error && <FailureAlert error={analyze.error} />}
        {newest.error && (
          <FailureAlert error={newest.error} onRetry={() => void newest.refetch()} />
        )}
        {newest.isPending && <LoadingLines rows={4} />}
        {newest.data === null && (
          <Text size="sm" c="dimmed">
            Not analyzed yet. An analysis finds mistakes and measures readability.
          </Text>
        )}
        {analysis && <AnalysisFacts analysis={analysis} />}
        {analysis && (
          <Issues
            {...props}
            issues={issues}
            onDismiss={(issue) => {
              dismiss.mutate(issue);
            }}
            allowance={allowance}
          />
        )}
      </Stack>
    </Panel>
  );
}

const SCORES = [
  ['overall', 'Overall'],
  ['correctness', 'Correctness'],
  ['clarity', 'Clarity'],
  ['engagement', 'Engagement'],
] as const;

function AnalysisFacts({ analysis }: { analysis: Analysis }) {
  const { scores, readability, statistics, language, unsupportedChecks } = analysis;
  return (
    <>
      <dl className={classes.scores}>
        {SCORES.map(([key, name]) => (
          <div key={key}>
            <dt>{name}</dt>
            <dd>{scores[key] === null ? '–' : Math.round(scores[key])}</dd>
          </div>
        ))}
      </dl>
      <Facts
        of={[
          ['Language', languageName(language.code)],
          ['Words', formatCount(statistics.words)],
          ['Sentences', formatCount(statistics.sentences)],
          ['Reading time', readingTime(statistics.readingTimeSeconds)],
          ['Reading ease', readability && readability.fleschReadingEase.value.toFixed(0)],
          ['Grade level', readability && readability.fleschKincaidGrade.value.toFixed(0)],
          [
            'Skipped checks',
            unsupportedChecks.length > 0 &&
              unsupportedChecks.map(({ check, language: code }) => `${check} (${code})`).join(', '),
          ],
        ]}
      />
    </>
  );
}

function languageName(code: string): string {
  if (code === 'und') return 'Unknown';
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

function readingTime(seconds: number): string {
  return seconds < 60 ? 'less than a minute' : countOf(Math.round(seconds / 60), 'minute');
}

const SEVERITIES = { error: 'red', warning: 'orange', style: 'blue' } as const;

interface IssuesProps extends TextPanelProps {
  issues: readonly Issue[];
  allowance: ReturnType<typeof useAllowance>;
  onDismiss: (issue: Issue) => void;
}

function Issues({ issues, allowance, onDismiss, picked, session }: IssuesProps) {
  useEffect(() => {
    if (picked !== undefined) {
      document.getElementById(`issue-${picked}`)?.scrollIntoView({ block: 'nearest' });
    }
  }, [picked]);
  if (issues.length === 0) return <Text size="sm">No issues found.</Text>;
  return (
    <div>
      <Text size="sm" fw={600}>
        {countOf(issues.length, 'issue')}
      </Text>
      <ul className={classes.issues} aria-label="Issues">
        {issues.slice(0, SHOWN_ISSUES).map((issue) => (
          <li
            key={issue.id}
            id={`issue-${issue.id}`}
            className={classes.issue}
            data-picked={issue.id === picked || undefined}
          >
            <button
              type="button"
              className={classes.passage}
              onClick={() => {
                if (!jumpToPassage(session, issue)) showDone('This passage changed.');
              }}
            >
              {issue.original}
            </button>
            <Text size="sm">{issue.message}</Text>
            {issue.replacements[0] && (
              <Text size="sm" c="dimmed">
                Suggestion:{' '}
                {issue.replacements
                  .map(({ value }) => value)
                  .slice(0, 3)
                  .join(', ')}
              </Text>
            )}
            <Group justify="space-between" mt={4}>
              <Badge size="sm" color={SEVERITIES[issue.severity]} tt="none">
                {issue.category}
              </Badge>
              <Button
                size="compact-xs"
                variant="subtle"
                aria-label={`Dismiss ${issue.original}`}
                onClick={() => {
                  onDismiss(issue);
                }}
                {...allowance}
              >
                Dismiss
              </Button>
            </Group>
          </li>
        ))}
      </ul>
    </div>
  );
}
