import { useDocumentTitle } from '../api/titles.js';
import { AppLink } from './app-link.js';
import { shortId } from './short-id.js';

interface DocumentLinkProps {
  documentId: string;
  /** The title, if it is known already. */
  title?: string | undefined;
}

/** Links to a document by its title, or by its ID until the title is loaded. */
export function DocumentLink({ documentId, title }: DocumentLinkProps) {
  const loaded = useDocumentTitle(title === undefined ? documentId : undefined);
  const name = title ?? loaded;
  if (name === null) return <span title={documentId}>Deleted document</span>;
  return (
    <AppLink
      to="/{-$accountId}/documents/$documentId"
      params={{ documentId }}
      search={{}}
      title={documentId}
      dir="auto"
    >
      {name ?? shortId(documentId)}
    </AppLink>
  );
}
