import { useQueryClient } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import type { CloseDialog } from '../../components/dialog.js';
import { showDone } from '../../components/messages.js';

interface DeleteTemplateProps {
  template: { id: string; name: string };
  onDeleted?: () => void;
  onClose: CloseDialog;
}

/** Asks for confirmation, then deletes a template permanently. */
export function DeleteTemplate({ template, onDeleted, onClose }: DeleteTemplateProps) {
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  const { id, name } = template;
  return (
    <ConfirmDialog
      title="Delete template"
      scope="templates:write"
      isDangerous
      run={() => dataOf(api.DELETE('/v1/templates/{id}', { params: { path: { id } } }))}
      onDone={async () => {
        showDone(`${name} deleted.`);
        await onClose();
        onDeleted?.();
        await queryClient.invalidateQueries({ queryKey: [accountId, 'templates', 'list'] });
      }}
      onClose={onClose}
    >
      Deletes “{name}” and its versions permanently. Documents created from this template don't
      change.
    </ConfirmDialog>
  );
}
