import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { useAllowance } from '../../components/use-allowance.js';
import { showDone } from '../../components/messages.js';

interface DeleteTemplateProps {
  template: { id: string; name: string };
  onDeleted?: () => void;
  onClose: CloseDialog;
}

/** Asks for confirmation, then deletes a template permanently. */
export function DeleteTemplate({
  template: { id, name },
  onDeleted,
  onClose,
}: DeleteTemplateProps) {
  const { id: accountId, api } = useAccount();
  const allowance = useAllowance('templates:write');
  const queryClient = useQueryClient();
  const deletion = useMutation({
    mutationFn: () => dataOf(api.DELETE('/v1/templates/{id}', { params: { path: { id } } })),
    onSuccess: async () => {
      showDone(`${name} deleted.`);
      await onClose();
      onDeleted?.();
      await queryClient.invalidateQueries({ queryKey: [accountId, 'templates', 'list'] });
    },
  });
  return (
    <FormDialog
      whyNot={allowance.title}
      title="Delete template"
      submit="Delete"
      color="red"
      submission={deletion}
      onSubmit={() => {
        deletion.mutate();
      }}
      onClose={onClose}
    >
      <Text size="sm">
        Deletes “{name}” and its versions permanently. Documents created from this template don't
        change.
      </Text>
    </FormDialog>
  );
}
