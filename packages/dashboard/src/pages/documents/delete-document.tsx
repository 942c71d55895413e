import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { useAllowance } from '../../components/use-allowance.js';
import { showDone } from '../../components/messages.js';

interface DeleteDocumentProps {
  document: { id: string; title: string };
  onDeleted?: () => void;
  onClose: CloseDialog;
}

/** Asks, and moves a document into the trash. */
export default function DeleteDocument({ document, onDeleted, onClose }: DeleteDocumentProps) {
  const { id: accountId, api } = useAccount();
  const allowance = useAllowance('documents:write');
  const queryClient = useQueryClient();
  const deletion = useMutation({
    mutationFn: () =>
      dataOf(api.DELETE('/v1/documents/{id}', { params: { path: { id: document.id } } })),
    onSuccess: async () => {
      showDone(`${document.title} moved to the trash.`);
      await onClose();
      onDeleted?.();
      await queryClient.invalidateQueries({ queryKey: [accountId, 'documents', 'list'] });
    },
  });
  return (
    <FormDialog
      whyNot={allowance.title}
      title="Delete document"
      submit="Delete"
      color="red"
      submission={deletion}
      onSubmit={() => {
        deletion.mutate();
      }}
      onClose={onClose}
    >
      <Text size="sm">
        “{document.title}” will move to the trash. You can restore it for 30 days.
      </Text>
    </FormDialog>
  );
}
