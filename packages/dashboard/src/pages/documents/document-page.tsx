import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Badge.layer.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMatches, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { asFailure } from '../../api/failure.js';
import { useAccount, useUser } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { Page } from '../../components/page.js';
import { LoadingLines } from '../../components/page-loading.js';
import { useSearchState } from '../../search-state.js';
import { FolderRight } from '../folders/folder-right.js';
import { DocumentEditor } from './document-editor.js';
import type { DocumentSession } from './editor/document-session.js';
import { DocumentSessions } from './editor/document-sessions.js';

/** Edits a document, new or not. Both URLs render this component, so creating a document changes only the URL. */
export function DocumentPage() {
  const { documentId } = useParams({ strict: false });
  const sessionId = useMatches({ select: (matches) => sessionIdOf(matches.at(-1)?.context) });
  const [{ template }] = useSearchState();
  const { id: accountId, api } = useAccount();
  const { id: userId } = useUser();
  const queryClient = useQueryClient();
  const sessions = DocumentSessions.of({ userId, accountId, api, queryClient });
  const entered = sessionId === undefined ? undefined : sessions.get(sessionId);
  const known = documentId === undefined ? entered : sessions.ofDocument(documentId);
  const opening = useQuery({
    queryKey: [accountId, 'document-session', documentId ?? 'new', sessionId ?? ''],
    queryFn: () =>
      documentId === undefined ? sessions.openNew(sessionId, template) : sessions.open(documentId),
    enabled: known === undefined,
    staleTime: Infinity,
    gcTime: 0,
    structuralSharing: false,
  });
  const session = known ?? opening.data;
  useOwnAddress(session, documentId, sessionId);
  if (session) {
    return (
      <InFolder key={session.id} session={session}>
        <DocumentEditor session={session} sessions={sessions} />
      </InFolder>
    );
  }
  const failure = opening.error ? asFailure(opening.error) : undefined;
  const isMissing = failure?.status === 404;
  return (
    <Page
      title={isMissing ? 'Document not found' : 'Document'}
      sentence={<AppLink to="/{-$accountId}/documents">Documents</AppLink>}
    >
      {isMissing ? (
        <p role="alert">{failure.message}</p>
      ) : failure ? (
        <FailureAlert error={failure} onRetry={() => void opening.refetch()} />
      ) : (
        <LoadingLines rows={12} height={28} />
      )}
    </Page>
  );
}

/** Disables what the person may not do in the folder of the document. */
function InFolder({ session, children }: { session: DocumentSession; children: ReactNode }) {
  const { document } = useSyncExternalStore(session.subscribe, session.snapshot);
  return <FolderRight folderId={document?.collectionId}>{children}</FolderRight>;
}

/** Session of a history entry. The route of new documents puts it into its context. */
function sessionIdOf(context: unknown): string | undefined {
  const { documentSession } = (context ?? {}) as { documentSession?: unknown };
  return typeof documentSession === 'string' ? documentSession : undefined;
}

const NO_SUBSCRIPTION = () => () => undefined;

/** Stores the session in the history entry of a new document, and replaces the URL once the document exists. */
function useOwnAddress(
  session: DocumentSession | undefined,
  documentId: string | undefined,
  sessionId: string | undefined,
): void {
  const { id: accountId } = useAccount();
  const navigate = useNavigate();
  const router = useRouter();
  const ownId = useSyncExternalStore(
    session?.subscribe ?? NO_SUBSCRIPTION,
    () => session?.documentId,
  );
  useEffect(() => {
    if (!session) return;
    // Makes the old URL lead to the deleted document again.
    if (ownId !== undefined && ownId === documentId) session.formerId = undefined;
    if (isElsewhere(router.latestLocation.pathname, documentId)) return;
    const here = { replace: true, resetScroll: false, ignoreBlocker: true } as const;
    if (ownId !== undefined && ownId !== documentId) {
      void navigate({
        ...here,
        to: '/{-$accountId}/documents/$documentId',
        params: { accountId, documentId: ownId },
        search: ((previous: object) => ({
          ...previous,
          template: undefined,
          folder: undefined,
        })) as never,
        // An open dialog still goes back to the previous entry.
        state: true,
      });
    } else if (ownId === undefined && sessionId !== session.id) {
      const state = ((previous: object) => ({ ...previous, documentSession: session.id })) as never;
      void navigate({ ...here, to: '.', search: true as never, state });
    }
  }, [accountId, documentId, navigate, ownId, router, session, sessionId]);
}

/** True while the router loads another page. */
function isElsewhere(pathname: string, documentId: string | undefined): boolean {
  return !pathname.endsWith(`/documents/${documentId ?? 'new'}`);
}
