import { useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { bodyOf, dataOf } from '../../api/client.js';
import { usePublishing } from '../../api/publishing.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { AddressTabs } from '../../components/address-tabs.js';
import { AppLink } from '../../components/app-link.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { Page } from '../../components/page.js';
import { LoadingLines } from '../../components/page-loading.js';
import { PAGE_SIZE, pageOf, Pager } from '../../components/pager.js';
import { loadPart } from '../../load-part.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { useSearchState } from '../../search-state.js';
import classes from './history/history.module.css';
import { KeptTexts } from './history/kept-texts.js';
import { VersionComparison } from './history/version-comparison.js';
import { VersionTable } from './history/version-table.js';

const PublishVersion = lazy(() => loadPart(() => import('./history/publish-version.js')));
const Publications = lazy(() => loadPart(() => import('./history/publications.js')));

const READ_EVERY = 20_000;

export function HistoryPage() {
  const { documentId = '' } = useParams({ strict: false });
  const { id: accountId, api } = useAccount();
  const [state, change] = useSearchState();
  const page = pageOf(state);
  const path = { id: documentId };
  const document = useQuery({
    queryKey: [accountId, 'documents', 'head', documentId],
    queryFn: () => dataOf(api.GET('/v1/documents/{id}', { params: { path } })),
    refetchInterval: every(READ_EVERY) as never,
  });
  const versions = useQuery({
    queryKey: [accountId, 'documents', 'versions', documentId, page],
    queryFn: () =>
      bodyOf(
        api.GET('/v1/documents/{id}/versions', {
          params: { path, query: { page, limit: PAGE_SIZE } },
        }),
      ),
    refetchInterval: every(READ_EVERY) as never,
  });
  const current = document.data?.version;
  const published = document.data?.published?.version;
  const compared = comparedOf(state, current, published);
  const { dialog } = useDialogs();
  const publishing = usePublishing().data?.enabled === true;
  useHotkeys([
    [
      'd',
      () => {
        const number = focusedVersion() ?? compared?.to;
        if (number === undefined || current === undefined || number === current) return;
        change({ from: String(number), to: String(current), open: undefined }, { replace: true });
      },
    ],
  ]);
  const table = (
    <div>
      <VersionTable
        documentId={documentId}
        versions={versions}
        current={current}
        compared={compared}
        publishable={publishing ? document.data : undefined}
      />
      <Pager pagination={versions.data?.meta.pagination} />
    </div>
  );
  return (
    <Page
      title="History"
      above={
        <>
          <AppLink to="/{-$accountId}/documents">Documents</AppLink> ›{' '}
          <AppLink
            to="/{-$accountId}/documents/$documentId"
            params={((previous: object) => ({ ...previous, documentId })) as never}
          >
            {document.data?.title ?? documentId}
          </AppLink>
        </>
      }
    >
      {/* The list shows its own failure, which is usually the same. */}
      {document.error && !versions.error && (
        <FailureAlert error={document.error} onRetry={() => void document.refetch()} />
      )}
      <KeptTexts document={document.data} documentId={documentId} />
      <div className={classes.columns}>
        {publishing ? (
          <AddressTabs
            label="History"
            name="tab"
            tabs={[
              { value: 'versions', title: 'Versions', panel: () => table },
              {
                value: 'publications',
                title: 'Publications',
                panel: () => (
                  <Suspense fallback={<LoadingLines rows={8} />}>
                    <Publications document={document.data} documentId={documentId} />
                  </Suspense>
                ),
              },
            ]}
          />
        ) : (
          table
        )}
        {compared && current !== undefined && (
          <VersionComparison documentId={documentId} {...compared} current={current} />
        )}
      </div>
      {dialog === 'publish' && publishing && document.data && (
        <Suspense fallback={null}>
          <PublishVersion document={document.data} />
        </Suspense>
      )}
    </Page>
  );
}

/**
 * Returns the two versions in the URL. Without the older one, its predecessor; without both, the newest change. The older one
 * can be `published`, for the version that readers get.
 */
function comparedOf(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  current: number | undefined,
  published: number | undefined,
) {
  const number = to === undefined ? (current ?? 0) : Number(to);
  if (!Number.isInteger(number) || number < 1) return undefined;
  if (from === 'published' && published !== undefined) {
    return { from: published, to: number, isPublished: true };
  }
  const older = from === undefined ? number - 1 : Number(from);
  return { from: Number.isInteger(older) && older > 0 ? older : number - 1, to: number };
}

/** The version whose row has the focus. */
function focusedVersion(): number | undefined {
  const row = document.activeElement?.closest('tr[data-id]');
  const number = Number(row?.getAttribute('data-id') ?? Number.NaN);
  return Number.isInteger(number) ? number : undefined;
}
