import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { keysQuery, type ApiKey } from '../../api/keys.js';
import { useAccount } from '../../api/session.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { useAllowance } from '../../components/use-allowance.js';
import { showDone } from '../../components/messages.js';
import { Time } from '../../components/time.js';

export function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: CloseDialog }) {
  const { id: accountId, api } = useAccount();
  const allowance = useAllowance('keys:write');
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => dataOf(api.DELETE('/v1/keys/{id}', { params: { path: { id: apiKey.id } } })),
    onSuccess: async () => {
      showDone(`${apiKey.name} is revoked.`);
      await onClose();
      await queryClient.invalidateQueries(keysQuery(accountId, api));
    },
  });
  return (
    <FormDialog
      whyNot={allowance.title}
      title="Revoke"
      submit="Revoke"
      color="red"
      submission={revoke}
      onSubmit={() => {
        revoke.mutate();
      }}
      onClose={onClose}
    >
      <Text size="sm">
        Programs that use {apiKey.name} (…{apiKey.lastFour}) are refused at once, and there is no
        way back.
      </Text>
      <Text size="sm">
        {apiKey.lastUsedAt === null ? (
          'It was never used.'
        ) : (
          <>
            It was last used <Time at={apiKey.lastUsedAt} />:{' '}
            <Time at={apiKey.lastUsedAt} format="exact" />.
          </>
        )}
      </Text>
    </FormDialog>
  );
}
