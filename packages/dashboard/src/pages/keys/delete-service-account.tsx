import { useQueryClient } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { keysQuery, useKeys } from '../../api/keys.js';
import type { ServiceAccount } from '../../api/service-accounts.js';
import { useAccount } from '../../api/session.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import type { CloseDialog } from '../../components/dialog.js';
import { showDone } from '../../components/messages.js';
import { useNow } from '../../components/time.js';
import { keyState } from './key-state.js';

interface DeleteServiceAccountProps {
  service: ServiceAccount;
  onClose: CloseDialog;
}

/** Deletes a service account after showing which keys stop working. */
export function DeleteServiceAccount({ service, onClose }: DeleteServiceAccountProps) {
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  const now = useNow();
  const { data = [] } = useKeys();
  const names = data
    .filter((key) => key.owner.id === service.id && keyState(key, now) === 'active')
    .map(({ name }) => name);
  return (
    <ConfirmDialog
      title="Delete service account"
      scope="keys:write"
      isDangerous
      run={() =>
        dataOf(api.DELETE('/v1/service-accounts/{id}', { params: { path: { id: service.id } } }))
      }
      onDone={async () => {
        showDone(`${service.name} deleted.`);
        await onClose();
        await queryClient.invalidateQueries(keysQuery(accountId, api));
      }}
      onClose={onClose}
    >
      {sentenceFor(service.activeKeys, names)} Documents that {service.name} created stay. You can't
      undo this.
    </ConfirmDialog>
  );
}

function sentenceFor(activeKeys: number, names: readonly string[]): string {
  if (activeKeys === 0) return 'No active key belongs to this service account.';
  const list = names.length === 0 ? '' : ` (${new Intl.ListFormat('en').format(names)})`;
  return activeKeys === 1
    ? `Its key${list} stops working immediately.`
    : `Its ${String(activeKeys)} keys${list} stop working immediately.`;
}
