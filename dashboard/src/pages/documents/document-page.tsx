import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { dataOf } from '../../api/client.js';
import { every } from '../../api/queries.js';
import { useAccount, useUser } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { Page } from '../../components/page.js';
import { LoadingLines } from '../../components/page-loading.js';
import { DocumentEditor } from './document-editor.js';
import { readDrafts } from './editor/drafts.js';

/** How often a page that is looked at sees what others have changed, in ms. */
const SEE_OTHERS_EVERY = 15_000;

export function DocumentPage() {
  const { documentId = '' } = useParams({ strict: false });
  const { id: accountId, api } = useAccount();
  const { id: userId } = useUser();
  const document = useQuery({
    queryKey: [accountId, 'documents', 'one', documentId],
    queryFn: () => dataOf(api.GET('/v1/documents/{id}', { params: { path: { id: documentId } } })),
    // An editor must not begin with an old version.
    gcTime: 0,
    staleTime: 0,
    refetchInterval: every(SEE_OTHERS_EVERY) as never,
  });
  const drafts = useQuery({
    queryKey: [accountId, 'drafts', documentId],
    queryFn: () => readDrafts({ userId, accountId, documentId }),
    gcTime: 0,
    staleTime: Infinity,
  });
  if (document.data?.id === documentId && drafts.data) {
    return (
      <DocumentEditor
        key={documentId}
        document={document.data}
        drafts={drafts.data}
        loadError={document.error}
      />
    );
  }
  return (
    <Page title="Document" sentence={<AppLink to="/{-$accountId}/documents">Documents</AppLink>}>
      {document.error ? (
        <FailureAlert error={document.error} onRetry={() => void document.refetch()} />
      ) : (
        <LoadingLines rows={12} height={28} />
      )}
    </Page>
  );
}
