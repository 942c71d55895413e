import { useQueryClient } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import type { CloseDialog } from '../../components/dialog.js';
import { showDone } from '../../components/messages.js';

interface DeleteDocumentProps {
  document: { id: string; title: string };
  onDeleted?: () => void;
  onClose: CloseDialog;
}

/** Asks for confirmation, then moves a document to the trash. */
export default function DeleteDocument({ document, onDeleted, onClose }: DeleteDocumentProps) {
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  const { id, title } = document;
  return (
    <ConfirmDialog
      title="Delete document"
      scope="documents:write"
      isDangerous
      run={() => dataOf(api.DELETE('/v1/documents/{id}', { params: { path: { id } } }))}
      onDone={async () => {
        showDone(`${title} moved to the trash.`);
        await onClose();
        onDeleted?.();
        await queryClient.invalidateQueries({ queryKey: [accountId, 'documents', 'list'] });
      }}
      onClose={onClose}
    >
      “{title}” will move to the trash. You can restore it for 30 days.
    </ConfirmDialog>
  );
}
