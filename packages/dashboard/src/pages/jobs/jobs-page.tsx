import { Menu } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { bodyOf } from '../../api/client.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { DataTable, type Column } from '../../components/data-table.js';
import { Page } from '../../components/page.js';
import { PAGE_SIZE, Pager, pageOf } from '../../components/pager.js';
import { RowMenu } from '../../components/row-menu.js';
import { ScopedButton } from '../../components/scoped-button.js';
import { Time, useNow } from '../../components/time.js';
import { useAllowance } from '../../components/use-allowance.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { useSearchState } from '../../search-state.js';
import { ExportAccount } from './export-account.js';
import { ImportAccount } from './import-account.js';
import { JobOutcome, JobProgress, JobStatus } from './job-cells.js';
import { JobPanel } from './job-panel.js';
import {
  fileOf,
  isUnderWay,
  jobsInterval,
  resultUrl,
  scopeOf,
  useCancelJob,
  type Job,
} from './job-queries.js';

const COLUMNS: readonly Column<Job>[] = [
  {
    title: 'Kind',
    cell: ({ id, kind }) => (
      <AppLink to="." search={(state: object) => ({ ...state, open: id })}>
        {kind}
      </AppLink>
    ),
  },
  { title: 'Status', cell: ({ status }) => <JobStatus status={status} />, kind: 'narrow' },
  { title: 'Progress', cell: (job) => <JobProgress job={job} />, kind: 'narrow', wideOnly: true },
  { title: 'Result', cell: (job) => <JobOutcome job={job} /> },
  { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} />, kind: 'narrow' },
];

export function JobsPage() {
  const { id, api } = useAccount();
  const [state, change] = useSearchState();
  const { dialog, open, close } = useDialogs();
  const page = pageOf(state);
  const jobs = useQuery({
    queryKey: [id, 'jobs', 'list', page],
    queryFn: () => bodyOf(api.GET('/v1/jobs', { params: { query: { page, limit: PAGE_SIZE } } })),
    refetchInterval: (query: { state: { data?: { data: Job[] } } }) =>
      every(jobsInterval(query.state.data?.data))(query as never),
    placeholderData: keepPreviousData,
  });
  const isEmpty = jobs.data?.data.length === 0;
  const importing = (
    <ScopedButton
      scope="*"
      variant="default"
      onClick={() => {
        open('import-account');
      }}
    >
      Import account
    </ScopedButton>
  );
  const exporting = (
    <ScopedButton
      scope="*"
      onClick={() => {
        open('export-account');
      }}
    >
      Export account
    </ScopedButton>
  );
  return (
    <Page
      title="Jobs"
      sentence="Exports, imports and other background jobs."
      // An empty list has this button in the middle of the page.
      actions={
        <>
          {importing}
          {!isEmpty && exporting}
        </>
      }
    >
      <DataTable
        name="Jobs"
        columns={COLUMNS}
        rows={jobs.error ? undefined : jobs.data?.data}
        idOf={(job) => job.id}
        nameOf={({ kind }) => kind}
        error={jobs.error}
        onRetry={() => void jobs.refetch()}
        openId={state.open}
        actions={(job) => <JobMenu job={job} />}
        empty={{
          sentence:
            'No jobs yet. Exports, imports and analyses appear here with their progress and result.',
          action: exporting,
        }}
      />
      <Pager pagination={jobs.data?.meta.pagination} />
      {state.open !== undefined && (
        <JobPanel
          id={state.open}
          onClose={() => {
            change({ open: undefined });
          }}
        />
      )}
      {dialog === 'export-account' && <ExportAccount onClose={close} />}
      {dialog === 'import-account' && <ImportAccount onClose={close} />}
    </Page>
  );
}

function JobMenu({ job }: { job: Job }) {
  const { id: accountId } = useAccount();
  const cancel = useCancelJob();
  const allowance = useAllowance(scopeOf(job));
  const file = fileOf(job, useNow());
  const canCancel = isUnderWay(job);
  if (!canCancel && !file) return null;
  return (
    <RowMenu name={job.kind}>
      {canCancel && (
        <Menu.Item
          color="red"
          onClick={() => {
            cancel.mutate(job);
          }}
          {...allowance}
        >
          Cancel job
        </Menu.Item>
      )}
      {file && (
        <Menu.Item component="a" href={resultUrl(accountId, job.id)} download={file.fileName}>
          Download result
        </Menu.Item>
      )}
    </RowMenu>
  );
}
