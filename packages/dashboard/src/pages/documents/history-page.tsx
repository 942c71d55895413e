import { useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode } from 'react';
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
import { FolderRight } from '../folders/folder-right.js';
import type { Document } from './document-types.js';
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
  const compared = comparedOf(state, current, document.data?.published?.version);
  const publishable = usePublishing().data?.enabled ? document.data : undefined;
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
      <FolderRight folderId={document.data?.collectionId}>
        <div className={classes.columns}>
          <WithPublications document={publishable}>
            <VersionTable
              documentId={documentId}
              versions={versions}
              current={current}
              compared={compared}
              publishable={publishable}
            />
            <Pager pagination={versions.data?.meta.pagination} />
          </WithPublications>
          {compared && current !== undefined && (
            <VersionComparison documentId={documentId} {...compared} current={current} />
          )}
        </div>
      </FolderRight>
    </Page>
  );
}

interface WithPublicationsProps {
  /** Set while publishing is on. */
  document: Document | undefined;
  /** The versions. */
  children: ReactNode;
}

/** The versions and, while publishing is on, what readers saw. */
function WithPublications({ document, children }: WithPublicationsProps) {
  const { dialog } = useDialogs();
  if (!document) return <div>{children}</div>;
  const publications = (
    <Suspense fallback={<LoadingLines rows={8} />}>
      <Publications document={document} />
    </Suspense>
  );
  return (
    <div>
      <AddressTabs
        label="History"
        name="tab"
        tabs={[
          { value: 'versions', title: 'Versions', panel: () => children },
          { value: 'publications', title: 'Publications', panel: () => publications },
        ]}
      />
      <Suspense fallback={null}>
        {dialog === 'publish' && <PublishVersion document={document} />}
      </Suspense>
    </div>
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
  const row = document.activeElement?.closest('table[aria-label=History] tr[data-id]');
  const number = Number(row?.getAttribute('data-id') ?? Number.NaN);
  return Number.isInteger(number) ? number : undefined;
}
