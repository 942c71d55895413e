import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { bodyOf } from '../../api/client.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { DataTable, type Column } from '../../components/data-table.js';
import { Page } from '../../components/page.js';
import { PAGE_SIZE, Pager, pageOf } from '../../components/pager.js';
import { Time } from '../../components/time.js';
import { useSearchState } from '../../search-state.js';
import classes from './audit.module.css';
import { AuditFilters } from './audit-filters.js';
import { actorLabel, auditFilters, type AuditEntry } from './audit-query.js';
import { EntryPanel } from './entry-panel.js';
import { ExportCsv } from './export-csv.js';
import { ResourceLink } from './resource-link.js';

const COLUMNS: readonly Column<AuditEntry>[] = [
  {
    title: 'Action',
    cell: ({ id, action }) => (
      <AppLink
        className={classes.action}
        to="."
        search={(state: object) => ({ ...state, open: id })}
      >
        {action}
      </AppLink>
    ),
  },
  {
    title: 'Resource',
    cell: ({ resource }) => (
      <span title={resource.id ?? undefined}>
        <ResourceLink {...resource} />
      </span>
    ),
    kind: 'main',
  },
  { title: 'Actor', cell: (entry) => <Who entry={entry} />, kind: 'narrow' },
  {
    title: 'IP address',
    cell: ({ clientAddress }) => clientAddress ?? '–',
    kind: 'narrow',
    wideOnly: 'desktop',
  },
  { title: 'Time', cell: ({ createdAt }) => <Time at={createdAt} />, kind: 'narrow' },
  {
    title: 'Details',
    cell: ({ details }) => <span title={briefly(details)}>{briefly(details)}</span>,
    kind: 'main',
    wideOnly: 'desktop',
  },
];

export function AuditPage() {
  const { id, api, may } = useAccount();
  const [state, change] = useSearchState();
  const page = pageOf(state);
  const filters = auditFilters(state);
  const entries = useQuery({
    queryKey: [id, 'audit', 'list', filters, page],
    queryFn: () =>
      bodyOf(api.GET('/v1/audit', { params: { query: { ...filters, page, limit: PAGE_SIZE } } })),
    refetchInterval: every(page === 1 ? 10_000 : false) as never,
    placeholderData: keepPreviousData,
  });
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title="Audit log"
      sentence="A permanent record of every change in this account."
      actions={<ExportCsv filters={filters} />}
    >
      {may('audit:read') && <AuditFilters />}
      <DataTable
        name="Audit log"
        columns={COLUMNS}
        rows={entries.error ? undefined : entries.data?.data}
        idOf={(entry) => entry.id}
        nameOf={({ action }) => action}
        error={entries.error}
        onRetry={() => void entries.refetch()}
        openId={state.open}
        empty={
          isFiltered
            ? {
                sentence:
                  'No entries match these filters. Remove a filter or choose a longer time.',
                isFiltered: true,
              }
            : { sentence: 'No changes yet. Create a document, key or webhook to see an entry.' }
        }
      />
      <Pager pagination={entries.data?.meta.pagination} />
      {state.open !== undefined && (
        <EntryPanel
          id={state.open}
          onClose={() => {
            change({ open: undefined });
          }}
        />
      )}
    </Page>
  );
}

function Who({ entry }: { entry: AuditEntry }) {
  const { actor } = entry;
  return (
    <>
      {actorLabel(entry)}
      {actor?.keyId === null && ' (dashboard)'}
    </>
  );
}

/** The details without the actor, shortened to one line. */
function briefly(details: Record<string, unknown>): string {
  const text = Object.entries(details)
    .filter(([name]) => name !== 'by')
    .map(([name, value]) => `${name}: ${shown(value)}`)
    .join(', ');
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** Lists of words read without brackets and quotation marks. */
function shown(value: unknown): string {
  if (typeof value === 'string') return value;
  const isWords = Array.isArray(value) && value.every((one) => typeof one === 'string');
  return isWords ? value.join(' ') : JSON.stringify(value);
}
