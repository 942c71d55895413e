import { lazy, Suspense, type ReactNode } from 'react';
import { usePublishing } from '../../../api/publishing.js';
import { loadAlone } from '../../../load-part.js';
import type { DocumentPublishingProps } from './document-publishing.js';

const DocumentPublishing = lazy(() => loadAlone(() => import('./document-publishing.js')));

interface PublishingPartProps extends DocumentPublishingProps {
  children?: ReactNode;
}

/** A part of the document page while publishing is on. Shows `children` while it is off or loads. */
export function PublishingPart({ children, ...props }: PublishingPartProps) {
  const { data } = usePublishing();
  if (!data?.enabled) return children;
  return (
    <Suspense fallback={children}>
      <DocumentPublishing {...props} />
    </Suspense>
  );
}
