import { Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { CodeBlock, prettyJson } from '../../components/code-block.js';
import { Copyable } from '../../components/copyable.js';
import { Facts } from '../../components/facts.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { LoadingLines } from '../../components/page-loading.js';
import { ScopedButton } from '../../components/scoped-button.js';
import { SidePanel } from '../../components/side-panel.js';
import { Time } from '../../components/time.js';
import { JobOutcome, JobProgress, JobStatus } from './job-cells.js';
import { isUnderWay, jobsInterval, scopeOf, useCancelJob, type Job } from './job-queries.js';

/** Shows one job. Loads it by ID, because the visible page may not contain it. */
export function JobPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const { id: accountId, api } = useAccount();
  const job = useQuery({
    queryKey: [accountId, 'jobs', id],
    queryFn: () => dataOf(api.GET('/v1/jobs/{id}', { params: { path: { id } } })),
    refetchInterval: (query: { state: { data?: Job } }) =>
      every(jobsInterval(query.state.data && [query.state.data]))(query as never),
  });
  return (
    <SidePanel title={job.data?.kind ?? 'Job'} onClose={onClose}>
      {job.data ? (
        <JobFacts job={job.data} />
      ) : job.error ? (
        <FailureAlert error={job.error} onRetry={() => void job.refetch()} />
      ) : (
        <LoadingLines rows={8} />
      )}
    </SidePanel>
  );
}

function JobFacts({ job }: { job: Job }) {
  const cancel = useCancelJob();
  const when = (at: string | null) => at && <Time at={at} />;
  return (
    <Stack>
      <Facts
        of={[
          ['Status', <JobStatus key="status" status={job.status} />],
          ['Progress', <JobProgress key="progress" job={job} />],
          ['Result', <JobOutcome key="outcome" job={job} />],
          ['Created', when(job.createdAt)],
          ['Started', when(job.startedAt)],
          ['Finished', when(job.finishedAt)],
          ['ID', <Copyable key="id" name="ID" text={job.id} />],
        ]}
      />
      {job.error?.details && <CodeBlock name="Error" text={prettyJson(job.error)} />}
      {job.result && <CodeBlock name="Result" text={prettyJson(job.result)} />}
      {isUnderWay(job) && (
        <Group>
          <ScopedButton
            scope={scopeOf(job)}
            color="red"
            variant="outline"
            loading={cancel.isPending}
            onClick={() => {
              cancel.mutate(job);
            }}
          >
            Cancel job
          </ScopedButton>
        </Group>
      )}
    </Stack>
  );
}
