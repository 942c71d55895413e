import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { bodyOf } from '../../../api/client.js';
import { every } from '../../../api/queries.js';
import { useAccount } from '../../../api/session.js';
import type { components } from '../../../api/v1-schema.js';
import { AppLink } from '../../../components/app-link.js';
import { DataTable, type Column } from '../../../components/data-table.js';
import { PAGE_SIZE, pageOf, Pager } from '../../../components/pager.js';
import { RowMenu } from '../../../components/row-menu.js';
import { Time } from '../../../components/time.js';
import { useSearchState } from '../../../search-state.js';
import type { Document } from '../document-types.js';
import classes from './history.module.css';
import { PublishVersionItem } from './publish-version-item.js';

/** Interval for reloading a visible list, in ms. */
const READ_EVERY = 20_000;

type Publication = components['schemas']['Publication'] & {
  /** The version that readers got before. */
  before: number | undefined;
};

const COLUMNS: readonly Column<Publication>[] = [
  {
    title: 'Publication',
    kind: 'main',
    cell: ({ version, before, publishedAt, publishedBy, endedAt }) => (
      <>
        <span className={classes.versionTitle}>
          <AppLink
            to="."
            search={((previous: object) => ({ ...previous, from: before, to: version })) as never}
            resetScroll={false}
          >
            Version {version}
          </AppLink>
          {endedAt === null && (
            <Badge color="green" tt="none">
              Readers get this
            </Badge>
          )}
        </span>
        <span className={classes.versionFacts}>
          <Time at={publishedAt} />
          {publishedBy ? ` by ${publishedBy.name}` : ', when publishing was turned on'}
        </span>
        {endedAt !== null && (
          <span className={classes.versionFacts}>
            Until <Time at={endedAt} />
          </span>
        )}
      </>
    ),
  },
];

interface PublicationsProps {
  document: Document;
}

/** What readers saw, when, and who published it. */
export default function Publications({ document }: PublicationsProps) {
  const { id: accountId, api } = useAccount();
  const [state] = useSearchState();
  const page = pageOf(state);
  const publications = useQuery({
    queryKey: [accountId, 'documents', 'publications', document.id, page],
    queryFn: () =>
      bodyOf(
        api.GET('/v1/documents/{id}/publications', {
          params: { path: { id: document.id }, query: { page, limit: PAGE_SIZE } },
        }),
      ),
    refetchInterval: every(READ_EVERY) as never,
  });
  const rows = publications.data?.data;
  return (
    <>
      <DataTable
        name="Publications"
        columns={COLUMNS}
        rows={rows?.map((one, index) => ({ ...one, before: rows[index + 1]?.version }))}
        idOf={({ number }) => String(number)}
        nameOf={({ number, version }) =>
          `publication ${String(number)}, version ${String(version)}`
        }
        error={publications.error}
        onRetry={() => void publications.refetch()}
        empty={{ sentence: 'Not published yet. What readers see appears here.' }}
        actions={({ number, version }) => (
          <RowMenu name={`publication ${String(number)}, version ${String(version)}`}>
            <PublishVersionItem document={document} number={version} />
          </RowMenu>
        )}
      />
      <Pager pagination={publications.data?.meta.pagination} />
    </>
  );
}
