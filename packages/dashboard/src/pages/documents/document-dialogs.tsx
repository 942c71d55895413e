import { useNavigate } from '@tanstack/react-router';
import { lazy } from 'react';
import { useAllowance } from '../../components/use-allowance.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { loadPart } from '../../load-part.js';
import DeleteDocument from './delete-document.js';
import type { Document } from './document-types.js';
import type { DocumentSession } from './editor/document-session.js';
import { PublishingDialog } from './publishing/publishing-dialog.js';

const MoveDocument = lazy(() => loadPart(() => import('../folders/move-document.js')));

const ScheduleDocument = lazy(() => loadPart(() => import('../releases/schedule-document.js')));
const AddToRelease = lazy(() => loadPart(() => import('../releases/add-to-release.js')));

interface DocumentDialogsProps {
  document: Document;
  session: DocumentSession;
  onDeleted: () => void;
}

/** The dialog of the document page that the URL names. */
export default function DocumentDialogs({ document, session, onDeleted }: DocumentDialogsProps) {
  const navigate = useNavigate();
  const allowance = useAllowance('documents:write');
  const { dialog, close } = useDialogs();
  switch (dialog) {
    case 'folder':
      if (allowance.disabled) return null;
      return (
        <MoveDocument
          document={document}
          onDone={() => {
            session.hearOf(undefined);
          }}
          onClose={close}
        />
      );
    case 'schedule':
      return <ScheduleDocument session={session} onClose={close} />;
    case 'release':
      return <AddToRelease session={session} onClose={close} />;
    case 'delete':
      return (
        <DeleteDocument
          document={document}
          onDeleted={() => {
            void navigate({ to: '/{-$accountId}/documents' }).then(onDeleted);
          }}
          onClose={close}
        />
      );
    default:
      return <PublishingDialog document={document} session={session} />;
  }
}
