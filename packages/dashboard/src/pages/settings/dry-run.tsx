import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { showFailure } from '../../components/messages.js';
import { formatCount, nounOf } from '../../components/numbers.js';
import { Section } from '../../components/page.js';
import { LoadingLines } from '../../components/page-loading.js';
import { useSearchState } from '../../search-state.js';
import { DryRunFindings, type DryRunResult } from './dry-run-findings.js';

type Job = components['schemas']['Job'];

const POLL_INTERVAL = 1_000;
const ENDED: ReadonlySet<Job['status']> = new Set(['succeeded', 'failed', 'cancelled']);

/** Starts a dry run of a version and adds its job to the URL. */
export function useDryRun() {
  const { api } = useAccount();
  const [, change] = useSearchState();
  return useMutation({
    mutationFn: (version: number) =>
      dataOf(
        api.POST('/v1/style-rules/{version}/dry-run', {
          params: { path: { version } },
        }),
      ),
    onSuccess: ({ id }) => {
      change({ dryRun: id, open: undefined });
    },
    onError: showFailure,
  });
}

/** Shows the dry run in the URL: its progress and its findings. */
export function DryRun() {
  const { id: accountId, api } = useAccount();
  const [{ dryRun: jobId }, change] = useSearchState();
  const job = useQuery({
    queryKey: [accountId, 'jobs', jobId],
    queryFn: () => dataOf(api.GET('/v1/jobs/{id}', { params: { path: { id: jobId ?? '' } } })),
    enabled: jobId !== undefined,
    refetchInterval: (query) =>
      query.state.data && ENDED.has(query.state.data.status)
        ? false
        : every(POLL_INTERVAL)(query as never),
  });
  const cancel = useMutation({
    mutationFn: () =>
      dataOf(api.DELETE('/v1/jobs/{id}', { params: { path: { id: jobId ?? '' } } })),
    onSuccess: () => job.refetch(),
    onError: showFailure,
  });
  if (jobId === undefined) return null;
  return (
    <Section title="Dry run">
      <Stack>
        {job.data ? (
          <JobState job={job.data} />
        ) : job.error ? (
          <FailureAlert error={job.error} onRetry={() => void job.refetch()} />
        ) : (
          <LoadingLines rows={2} />
        )}
        <Group>
          {job.data && !ENDED.has(job.data.status) && (
            <Button
              size="xs"
              variant="default"
              loading={cancel.isPending}
              onClick={() => {
                cancel.mutate();
              }}
            >
              Cancel
            </Button>
          )}
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              change({ dryRun: undefined });
            }}
          >
            Close
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}

function JobState({ job: { status, progress, error, result } }: { job: Job }) {
  const { done, total } = progress;
  switch (status) {
    case 'queued':
      return <Text size="sm">Dry run queued.</Text>;
    case 'running':
      return (
        <>
          <Text size="sm" role="status">
            Checked {formatCount(done)}
            {total !== null && ` of ${formatCount(total)}`} {nounOf(total ?? done, 'document')}.
          </Text>
          <Progress
            value={total === null || total === 0 ? 0 : (done / total) * 100}
            aria-label="Dry run"
          />
        </>
      );
    case 'cancelled':
      return <Text size="sm">Dry run cancelled.</Text>;
    case 'failed':
      return (
        <Alert color="red" role="alert" title="Couldn't finish the dry run">
          {error?.message}
        </Alert>
      );
    case 'succeeded':
      return <DryRunFindings result={result as unknown as DryRunResult} />;
  }
}
