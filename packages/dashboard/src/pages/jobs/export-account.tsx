import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { useAllowance } from '../../components/use-allowance.js';
import { showDone } from '../../components/messages.js';

export function ExportAccount({ onClose }: { onClose: CloseDialog }) {
  const { id: accountId, api } = useAccount();
  const allowance = useAllowance('*');
  const queryClient = useQueryClient();
  const begin = useMutation({
    mutationFn: () => dataOf(api.POST('/v1/account/export')),
    onSuccess: async () => {
      showDone('Export started. The file will appear in the list.');
      await onClose();
      await queryClient.invalidateQueries({ queryKey: [accountId, 'jobs'] });
    },
  });
  return (
    <FormDialog
      whyNot={allowance.title}
      title="Export account"
      submit="Export account"
      submission={begin}
      onSubmit={() => {
        begin.mutate();
      }}
      onClose={onClose}
    >
      <Text size="sm">
        Exports documents, templates, all versions, people, keys, webhooks and the audit log as JSON
        Lines. Secrets are excluded. You can download the file for three days.
      </Text>
    </FormDialog>
  );
}
