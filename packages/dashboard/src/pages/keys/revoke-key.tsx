import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { keysQuery, type ApiKey } from '../../api/keys.js';
import { useAccount } from '../../api/session.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { useAllowance } from '../../components/use-allowance.js';
import { showDone } from '../../components/messages.js';
import { Time } from '../../components/time.js';

/** Revokes a key. For the key of a connected app, this disconnects the app. */
export function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: CloseDialog }) {
  const { id: accountId, api } = useAccount();
  const allowance = useAllowance('keys:write');
  const queryClient = useQueryClient();
  const isApp = apiKey.client !== null;
  const title = isApp ? 'Disconnect' : 'Revoke key';
  const revoke = useMutation({
    mutationFn: () => dataOf(api.DELETE('/v1/keys/{id}', { params: { path: { id: apiKey.id } } })),
    onSuccess: async () => {
      showDone(`${apiKey.name} ${isApp ? 'disconnected' : 'revoked'}.`);
      await onClose();
      await queryClient.invalidateQueries(keysQuery(accountId, api));
    },
  });
  return (
    <FormDialog
      whyNot={allowance.title}
      title={title}
      submit={title}
      color="red"
      submission={revoke}
      onSubmit={() => {
        revoke.mutate();
      }}
      onClose={onClose}
    >
      <Text size="sm">
        {isApp
          ? `${apiKey.name} loses the access that ${apiKey.owner.name} allowed immediately. It can ask for access again.`
          : `Apps that use ${apiKey.name} (…${apiKey.lastFour}) lose access immediately. You can't undo this.`}
      </Text>
      <Text size="sm">
        {apiKey.lastUsedAt === null ? (
          `This ${isApp ? 'app' : 'key'} was never used.`
        ) : (
          <>
            Last used <Time at={apiKey.lastUsedAt} />.
          </>
        )}
      </Text>
    </FormDialog>
  );
}
