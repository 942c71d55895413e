import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { bodyOf, dataOf } from '../../../api/client.js';
import { every } from '../../../api/queries.js';
import { useAccount } from '../../../api/session.js';
import { FailureAlert } from '../../../components/failure-alert.js';
import { showDone, showFailure } from '../../../components/messages.js';
import { formatCount } from '../../../components/numbers.js';
import { LoadingLines } from '../../../components/page-loading.js';
import { useAllowance } from '../../../components/use-allowance.js';
import { useRules } from '../../../components/use-rules.js';
import { followJob, isJob, type Job } from '../follow-job.js';
import { Panel } from '../panel.js';
import { AnalysisFacts, type Analysis } from './analysis-facts.js';
import { IssueList, type Issue } from './issue-list.js';
import { useTextMarks, type TextPanelProps } from './text-marks.js';

const NO_ISSUES: readonly Issue[] = [];

/** Shows the analysis of a text and marks its issues in it. */
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
      const { data: accepted } = await bodyOf<{ data: Analysis | Job }>(
        api.POST('/v1/documents/{id}/analyze', { params: { path }, body: {} }),
      );
      if (!isJob(accepted)) return accepted;
      const { result } = await followJob(api, accepted.id);
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
  const { off, turn } = useRules();
  const issues = useMemo(
    () => analysis?.issues.filter(({ ruleId }) => !off.has(ruleId)) ?? NO_ISSUES,
    [analysis, off],
  );
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
            Analyze text
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
          <IssueList
            {...props}
            issues={issues}
            onDismiss={(issue) => {
              dismiss.mutate(issue);
            }}
            onTurnOff={
              turn &&
              ((ruleId) => {
                turn(ruleId, false);
              })
            }
            allowance={allowance}
          />
        )}
      </Stack>
    </Panel>
  );
}
