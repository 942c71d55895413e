import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { bodyOf } from '../../api/client.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { AddressTabs } from '../../components/address-tabs.js';
import { AppLink } from '../../components/app-link.js';
import { DataTable, type Column } from '../../components/data-table.js';
import { Icon } from '../../components/icons.js';
import { nounOf } from '../../components/numbers.js';
import { Page } from '../../components/page.js';
import { PAGE_SIZE, Pager, pageOf } from '../../components/pager.js';
import { ScopedButton } from '../../components/scoped-button.js';
import { exactTime, useNow } from '../../components/time.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { useSearchState } from '../../search-state.js';
import { ReleaseDialogs } from './release-dialogs.js';
import { ReleasePanel, ReleaseStatus } from './release-panel.js';
import { READ_EVERY, shortTime, useReleaseName, type Release } from './releases.js';

const COLUMNS: readonly Column<Release>[] = [
  { title: 'Release', kind: 'main', cell: (release) => <ReleaseLink release={release} /> },
  { title: 'Status', kind: 'narrow', cell: ReleaseStatus },
  { title: 'Time', kind: 'narrow', cell: (release) => <ReleaseTime {...release} /> },
  {
    title: 'Documents',
    kind: 'number',
    cell: countIn,
    phoneUnit: (release) => nounOf(countIn(release), 'document'),
  },
];

const TABS: readonly (readonly [title: string, status: Release['status'][]])[] = [
  ['Scheduled', ['scheduled']],
  ['Open', ['open']],
  ['Done', ['published', 'failed', 'canceled']],
];

/** Documents that are published together, now or at a time. */
export function ReleasesPage() {
  const [state, change] = useSearchState();
  const { open } = useDialogs();
  return (
    <Page
      title="Releases"
      sentence="Publish several documents together, now or at a set time."
      actions={
        <ScopedButton
          scope="documents:write"
          leftSection={<Icon name="add" />}
          onClick={() => {
            open('create-release');
          }}
        >
          Create release
        </ScopedButton>
      }
    >
      <AddressTabs
        label="Releases"
        name="status"
        tabs={TABS.map(([title, status]) => ({
          value: title.toLowerCase(),
          title,
          panel: () => <Releases status={status} />,
        }))}
      />
      {state.open !== undefined && (
        <ReleasePanel
          id={state.open}
          onClose={() => {
            change({ open: undefined });
          }}
        />
      )}
      <ReleaseDialogs />
    </Page>
  );
}

function Releases({ status }: { status: Release['status'][] }) {
  const { id: accountId, api } = useAccount();
  const [state] = useSearchState();
  const order = status.includes('scheduled') ? ('asc' as const) : ('desc' as const);
  const sort = 'publishAt' as const;
  const query = { status, sort, order, page: pageOf(state), limit: PAGE_SIZE };
  const releases = useQuery({
    queryKey: [accountId, 'releases', 'list', query],
    queryFn: () => bodyOf(api.GET('/v1/releases', { params: { query } })),
    refetchInterval: every(READ_EVERY) as never,
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <DataTable
        name="Releases"
        columns={COLUMNS}
        rows={releases.error ? undefined : releases.data?.data}
        idOf={({ id }) => id}
        nameOf={({ title }) => title ?? 'schedule'}
        error={releases.error}
        onRetry={() => void releases.refetch()}
        openId={state.open}
        empty={{ sentence: 'No releases here. Those that ended are removed after 90 days.' }}
      />
      <Pager pagination={releases.data?.meta.pagination} />
    </>
  );
}

function ReleaseLink({ release }: { release: Release }) {
  const name = useReleaseName(release);
  return (
    <AppLink to="." search={(state: object) => ({ ...state, open: release.id })} dir="auto">
      {name}
    </AppLink>
  );
}

/** When the release ended or is due, or else was created. */
function ReleaseTime({ finishedAt, publishAt, createdAt }: Release) {
  const at = finishedAt ?? publishAt ?? createdAt;
  return (
    <time dateTime={at} title={exactTime(new Date(at))}>
      {shortTime(new Date(at), useNow())}
    </time>
  );
}

function countIn({ items, hiddenItems }: Release): number {
  return items.length + hiddenItems;
}
