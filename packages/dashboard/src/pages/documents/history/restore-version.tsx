import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { dataOf } from '../../../api/client.js';
import { useAccount } from '../../../api/session.js';
import { FormDialog, type CloseDialog } from '../../../components/dialog.js';
import { useAllowance } from '../../../components/use-allowance.js';
import { showDone } from '../../../components/messages.js';

interface RestoreVersionProps {
  documentId: string;
  number: number;
  onClose: CloseDialog;
}

/** Asks, and makes the document what it was in a version. */
export function RestoreVersion({ documentId, number, onClose }: RestoreVersionProps) {
  const { id: accountId, api } = useAccount();
  const allowance = useAllowance('documents:write');
  const queryClient = useQueryClient();
  const restore = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/v1/documents/{id}/versions/{number}/restore', {
          params: { path: { id: documentId, number } },
        }),
      ),
    onSuccess: async ({ version }) => {
      showDone(`Version ${String(number)} restored as version ${String(version)}.`);
      await onClose();
      await queryClient.invalidateQueries({ queryKey: [accountId, 'documents'] });
    },
  });
  return (
    <FormDialog
      whyNot={allowance.title}
      title="Restore this version"
      submit="Restore this version"
      submission={restore}
      onSubmit={() => {
        restore.mutate();
      }}
      onClose={onClose}
    >
      <Text size="sm">
        Restoring version {number} creates a new version. The current text stays in History.
      </Text>
    </FormDialog>
  );
}
