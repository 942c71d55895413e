import { useCollections } from '../../api/collections.js';
import type { CloseDialog } from '../../components/dialog.js';
import { foldersOf } from './folders.js';
import { MoveDialog } from './move-dialogs.js';
import type { MovedDocument } from './use-move.js';

interface MoveDocumentProps {
  document: MovedDocument;
  onDone?: () => void;
  onClose: CloseDialog;
}

/** Moves one document to a folder. */
export default function MoveDocument({ document, onDone, onClose }: MoveDocumentProps) {
  const { data } = useCollections();
  if (!data) return null;
  return (
    <MoveDialog
      folders={foldersOf(data)}
      moved={{ kind: 'documents', documents: [document] }}
      {...(onDone && { onDone })}
      onClose={onClose}
    />
  );
}
