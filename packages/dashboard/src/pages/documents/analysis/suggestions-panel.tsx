import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { asFailure } from '../../../api/failure.js';
import { bodyOf, dataOf } from '../../../api/client.js';
import { every } from '../../../api/queries.js';
import { useAccount } from '../../../api/session.js';
import type { components } from '../../../api/v1-schema.js';
import { FailureAlert } from '../../../components/failure-alert.js';
import { showDone } from '../../../components/messages.js';
import { countOf } from '../../../components/numbers.js';
import { LoadingLines } from '../../../components/page-loading.js';
import classes from '../document-page.module.css';
import { versionTag } from '../document-types.js';
import { followJob } from '../follow-job.js';
import { Panel } from '../panel.js';
import { useAllowance } from '../../../components/use-allowance.js';
import { jumpToPassage, useTextMarks, type TextPanelProps } from './text-marks.js';

type Enhancement = components['schemas']['Enhancement'];
type EnhancementJob = components['schemas']['EnhancementJob'];
type Suggestion = components['schemas']['Suggestion'];
type Application = Pick<components['schemas']['ApplySuggestions'], 'suggestionIds'> & {
  safe?: boolean;
  replacements?: Record<string, string>;
};

/** Suggestions that are listed at once. */
const SHOWN_SUGGESTIONS = 200;

/** How often a set that is being made is looked at, in ms. */
const PENDING_EVERY = 1_500;

/** Suggestions for the text, to be accepted and rejected. */
export default function SuggestionsPanel(props: TextPanelProps) {
  const { document } = props;
  const set = useSuggestions(props);
  const analyzing = useAllowance('documents:analyze');
  const writing = useAllowance('documents:write');
  const { enhancement, open } = set;
  useTextMarks(props, open, 'suggestion');
  const { changes } = set;
  const isChangingAll = changes.isPending(ALL);
  const button = { size: 'xs', variant: 'default', disabled: isChangingAll } as const;
  return (
    <Panel title="Suggestions">
      <Stack gap="sm">
        <Group gap="xs">
          <Button
            size="xs"
            loading={set.suggest.isPending}
            onClick={() => {
              set.suggest.mutate();
            }}
            {...analyzing}
          >
            Suggest
          </Button>
          {open.length > 0 && (
            <>
              <Button
                {...button}
                onClick={() => {
                  set.apply(ALL, { suggestionIds: 'all' });
                }}
                {...writing}
              >
                Accept all
              </Button>
              <Button
                {...button}
                title="Accept suggestions with a single, certain replacement"
                onClick={() => {
                  set.apply(ALL, { suggestionIds: 'all', safe: true });
                }}
                {...writing}
              >
                Accept all (safe)
              </Button>
              <Button
                {...button}
                onClick={() => {
                  set.reject(ALL, 'all');
                }}
                {...analyzing}
              >
                Reject all
              </Button>
            </>
          )}
        </Group>
        <ChangeProblem problem={changes.problems[ALL]} />
        {set.suggest.error && <FailureAlert error={set.suggest.error} />}
        {set.newest.error && (
          <FailureAlert error={set.newest.error} onRetry={() => void set.newest.refetch()} />
        )}
        {set.newest.isPending && <LoadingLines rows={4} />}
        {set.newest.data === null && (
          <Text size="sm" c="dimmed">
            No suggestions yet. Suggestions change the text only when you accept them.
          </Text>
        )}
        {enhancement && <SetState enhancement={enhancement} version={document.version} />}
        <Suggestions
          {...props}
          suggestions={open}
          changes={changes}
          writing={writing}
          analyzing={analyzing}
          onAccept={({ id }, value) => {
            set.apply(id, { suggestionIds: [id], replacements: { [id]: value } });
          }}
          onReject={({ id }) => {
            set.reject(id, [id]);
          }}
        />
      </Stack>
    </Panel>
  );
}

function ChangeProblem({ problem }: { problem: string | undefined }) {
  if (problem === undefined) return null;
  return (
    <Text size="sm" c="red" role="alert">
      {problem}
    </Text>
  );
}

/** Stands for all suggestions where the id of one could. */
const ALL = 'all';

/** Which suggestions are being accepted or rejected, and why that failed. They are changed one after the other. */
function useChanges() {
  const [pending, setPending] = useState<readonly string[]>([]);
  const [problems, setProblems] = useState<Readonly<Record<string, string | undefined>>>({});
  const run = async (id: string, change: () => Promise<string | undefined>) => {
    setPending((before) => [...before, id]);
    setProblems((before) => ({ ...before, [id]: undefined }));
    try {
      const problem = await change();
      if (problem !== undefined) setProblems((before) => ({ ...before, [id]: problem }));
    } catch (error) {
      const { message } = asFailure(error);
      setProblems((before) => ({ ...before, [id]: `Couldn't change the suggestion: ${message}` }));
    } finally {
      setPending((before) => before.filter((one) => one !== id));
    }
  };
  return { run, problems, isPending: (id: string) => pending.includes(id) };
}

/** What has become of a set of suggestions. */
function SetState({ enhancement, version }: { enhancement: Enhancement; version: number }) {
  const { status, error, suggestionCounts: counts, textVersion } = enhancement;
  if (status === 'pending') return <Text size="sm">Generating suggestions…</Text>;
  if (error) return <Text size="sm">{error.message}</Text>;
  return (
    <>
      <Text size="sm" c="dimmed">
        {counts.open} open · {counts.accepted} accepted · {counts.rejected} rejected ·{' '}
        {counts.stale} stale
        {counts.stale > 0 && ': their passages changed. Request new suggestions.'}
      </Text>
      {textVersion < version && counts.open > 0 && (
        <Text size="sm" c="dimmed">
          The text changed. Suggestions apply only to unchanged passages.
        </Text>
      )}
    </>
  );
}

const NO_SUGGESTIONS: readonly Suggestion[] = [];

/** The newest set of suggestions, and what can be done with it. */
function useSuggestions({ document, session }: TextPanelProps) {
  const { autosave } = session;
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  const path = useMemo(() => ({ id: document.id }), [document.id]);
  const queryKey = [accountId, 'documents', 'suggestions', document.id];
  const keep = (enhancement: Enhancement) => {
    queryClient.setQueryData<Enhancement | null>(queryKey, enhancement);
  };
  const read = (enhancementId: string) =>
    dataOf(
      api.GET('/v1/documents/{id}/enhancements/{enhancementId}', {
        params: { path: { ...path, enhancementId } },
      }),
    );
  const newest = useQuery({
    queryKey,
    queryFn: async () => {
      const { data } = await bodyOf(
        api.GET('/v1/documents/{id}/enhancements', { params: { path, query: { limit: 1 } } }),
      );
      return data[0] ? read(data[0].id) : null;
    },
    refetchInterval: (query) =>
      query.state.data?.status === 'pending' ? PENDING_EVERY : every(false)(query as never),
  });
  const enhancement = newest.data ?? undefined;
  const suggest = useMutation({
    mutationFn: async () => {
      await autosave.save();
      const { data: answer } = await bodyOf<{ data: Enhancement | EnhancementJob }>(
        api.POST('/v1/documents/{id}/enhance', { params: { path }, body: {} }),
      );
      if (!('enhancementId' in answer)) return answer;
      await followJob(api, answer.id);
      return read(answer.enhancementId);
    },
    onSuccess: keep,
  });
  const changes = useChanges();
  const { mutateAsync: send } = useMutation({
    mutationFn: (request: () => Promise<string | undefined>) => request(),
  });
  const applyNow = async (wanted: Application, enhancementId: string) => {
    let problem: string | undefined;
    await autosave.change(async (version) => {
      const { conflicts, documentVersion, ...applied } = await dataOf(
        api.POST('/v1/documents/{id}/enhancements/{enhancementId}/apply', {
          params: {
            path: { ...path, enhancementId },
            header: { 'If-Match': versionTag(version) },
          },
          body: wanted as never,
        }),
      );
      keep(applied);
      if (conflicts.length > 0) {
        problem = `${countOf(conflicts.length, 'suggestion')} overlapped and stayed open.`;
      } else if (documentVersion === version) {
        problem = 'Nothing was applied. The passage changed.';
      }
      return dataOf(api.GET('/v1/documents/{id}', { params: { path } }));
    });
    return problem;
  };
  const rejectNow = async (suggestionIds: string[] | 'all', enhancementId: string) => {
    keep(
      await dataOf(
        api.POST('/v1/documents/{id}/enhancements/{enhancementId}/reject', {
          params: { path: { ...path, enhancementId } },
          body: { suggestionIds },
        }),
      ),
    );
    return undefined;
  };
  /** `id` says where a problem is shown. */
  const apply = (id: string, wanted: Application) => {
    if (!enhancement) return;
    void changes.run(id, () => send(() => applyNow(wanted, enhancement.id)));
  };
  const reject = (id: string, suggestionIds: string[] | 'all') => {
    if (!enhancement) return;
    void changes.run(id, () => send(() => rejectNow(suggestionIds, enhancement.id)));
  };
  const open = useMemo(
    () => enhancement?.suggestions.filter(({ status }) => status === 'open') ?? NO_SUGGESTIONS,
    [enhancement],
  );
  return { newest, enhancement, open, suggest, apply, reject, changes };
}

interface SuggestionsProps extends TextPanelProps {
  suggestions: readonly Suggestion[];
  changes: ReturnType<typeof useChanges>;
  writing: ReturnType<typeof useAllowance>;
  analyzing: ReturnType<typeof useAllowance>;
  onAccept: (suggestion: Suggestion, value: string) => void;
  onReject: (suggestion: Suggestion) => void;
}

function Suggestions(props: SuggestionsProps) {
  const { suggestions, changes, writing, analyzing, onAccept, onReject, picked, session } = props;
  const isBusy = (id: string) => changes.isPending(id) || changes.isPending(ALL);
  useEffect(() => {
    if (picked !== undefined) {
      document.getElementById(`suggestion-${picked}`)?.scrollIntoView({ block: 'nearest' });
    }
  }, [picked]);
  if (suggestions.length === 0) return null;
  return (
    <ul className={classes.issues} aria-label="Suggestions">
      {suggestions.slice(0, SHOWN_SUGGESTIONS).map((suggestion) => (
        <li
          key={suggestion.id}
          id={`suggestion-${suggestion.id}`}
          className={classes.issue}
          data-picked={suggestion.id === picked || undefined}
        >
          <button
            type="button"
            className={classes.passage}
            onClick={() => {
              if (!jumpToPassage(session, suggestion)) showDone('This passage changed.');
            }}
          >
            {suggestion.original}
          </button>
          <Text size="sm">{suggestion.message}</Text>
          <Group gap={6} mt={6}>
            {suggestion.replacements.slice(0, 4).map(({ value }) => (
              <Button
                key={value}
                size="compact-xs"
                disabled={isBusy(suggestion.id)}
                aria-label={`Accept ${value === '' ? 'the deletion' : value} for ${suggestion.original}`}
                onClick={() => {
                  onAccept(suggestion, value);
                }}
                {...writing}
              >
                {value.trim() === '' ? 'Delete passage' : value}
              </Button>
            ))}
            <Button
              size="compact-xs"
              variant="subtle"
              disabled={isBusy(suggestion.id)}
              aria-label={`Reject ${suggestion.original}`}
              onClick={() => {
                onReject(suggestion);
              }}
              {...analyzing}
            >
              Reject
            </Button>
            <Badge size="sm" tt="none" color="gray">
              {suggestion.category}
            </Badge>
          </Group>
          <ChangeProblem problem={changes.problems[suggestion.id]} />
        </li>
      ))}
    </ul>
  );
}
