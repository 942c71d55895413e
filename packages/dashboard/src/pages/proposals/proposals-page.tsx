import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { LARGEST_PAGE } from '../../api/all-pages.js';
import { bodyOf, dataOf } from '../../api/client.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { AddressTabs } from '../../components/address-tabs.js';
import { AppLink } from '../../components/app-link.js';
import { DataTable, type Column } from '../../components/data-table.js';
import { FilterChips, type ChipFilter } from '../../components/filter-chips.js';
import { Page } from '../../components/page.js';
import { PAGE_SIZE, Pager, pageOf } from '../../components/pager.js';
import { Time } from '../../components/time.js';
import { useSearchState } from '../../search-state.js';
import { countsText, type ProposalItem } from './proposal.js';
import classes from './proposals.module.css';
import { Sender } from './sender.js';
import { useProposalNews } from './use-proposal-news.js';

const COLUMNS: readonly Column<ProposalItem>[] = [
  {
    title: 'Document',
    kind: 'main',
    cell: ({ id, documentId, proposal }) => (
      <>
        <AppLink
          to="/{-$accountId}/documents/$documentId"
          params={((previous: object) => ({ ...previous, documentId })) as never}
          search={{ panel: 'check', proposal: id } as never}
          dir="auto"
        >
          {proposal?.document.title}
        </AppLink>
        {proposal?.message && (
          <span className={classes.message} title={proposal.message} dir="auto">
            {proposal.message}
          </span>
        )}
      </>
    ),
  },
  { title: 'From', kind: 'narrow', cell: (item) => <Sender of={item} /> },
  {
    title: 'Changes',
    kind: 'narrow',
    cell: ({ suggestionCounts }) => countsText(suggestionCounts),
  },
  { title: 'Sent', kind: 'narrow', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

const EMPTY = {
  open: 'No open proposals. Changes that API keys, apps and viewers propose appear here for you to accept or reject.',
  decided: 'No decided proposals yet. Proposals move here once all of their changes are decided.',
} as const;

const FILTERS = ['documentId', 'createdBy', 'keyId'] as const;

/** The inbox: proposed changes to all documents. */
export function ProposalsPage() {
  useProposalNews();
  return (
    <Page title="Proposals" sentence="Proposed changes to documents, for you to accept or reject.">
      <AddressTabs
        label="Proposals"
        name="status"
        tabs={[
          { value: 'open', title: 'Open', panel: () => <Proposals status="open" /> },
          { value: 'decided', title: 'Decided', panel: () => <Proposals status="decided" /> },
        ]}
      />
    </Page>
  );
}

function Proposals({ status }: { status: 'open' | 'decided' }) {
  const { id: accountId, api } = useAccount();
  const [state] = useSearchState();
  const given = FILTERS.filter((name) => state[name] !== undefined);
  const filters = Object.fromEntries(given.map((name) => [name, state[name]]));
  const query = { ...filters, status, page: pageOf(state), limit: PAGE_SIZE };
  const proposals = useQuery({
    queryKey: [accountId, 'proposals', 'list', query],
    queryFn: () => bodyOf(api.GET('/v1/proposals', { params: { query } })),
    refetchInterval: every(30_000) as never,
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <ProposalFilters status={status} />
      <DataTable
        name="Proposals"
        columns={COLUMNS}
        rows={proposals.error ? undefined : proposals.data?.data}
        idOf={({ id }) => id}
        nameOf={({ proposal }) => proposal?.document.title ?? ''}
        error={proposals.error}
        onRetry={() => void proposals.refetch()}
        empty={
          given.length > 0
            ? { sentence: 'No proposals match these filters. Remove a filter.', isFiltered: true }
            : { sentence: EMPTY[status] }
        }
      />
      <Pager pagination={proposals.data?.meta.pagination} />
    </>
  );
}

function ProposalFilters({ status }: { status: 'open' | 'decided' }) {
  const { documents, people, keys } = useFilterOptions(status);
  const filters: readonly ChipFilter[] = [
    { name: 'documentId', label: 'Document', options: documents },
    { name: 'createdBy', label: 'Person', options: people },
    { name: 'keyId', label: 'API key', options: keys },
  ];
  return <FilterChips label="Proposals" filters={filters} />;
}

/** Returns the documents and senders of the newest proposals. */
function useFilterOptions(status: 'open' | 'decided') {
  const { id: accountId, api } = useAccount();
  const query = { status, limit: LARGEST_PAGE };
  const { data = [] } = useQuery({
    queryKey: [accountId, 'proposals', 'filters', status],
    queryFn: () => dataOf(api.GET('/v1/proposals', { params: { query } })),
    staleTime: 60_000,
  });
  const keys = data.flatMap(({ proposal }) => proposal?.key ?? []);
  return {
    documents: optionsOf(data, ({ documentId, proposal }) => [
      documentId,
      proposal?.document.title,
    ]),
    people: optionsOf(data, ({ createdBy }) => [createdBy.id, createdBy.name]),
    keys: optionsOf(keys, ({ id, name }) => [id, name]),
  };
}

/** Returns each value once, with its name. */
function optionsOf<Item>(
  items: readonly Item[],
  optionOf: (item: Item) => readonly [value: string, name: string | undefined],
) {
  return [...new Map(items.map(optionOf))].map(([value, name = '']) => [value, name] as const);
}
