import { Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../api/client.js';
import { asFailure } from '../../api/failure.js';
import { useAccount } from '../../api/session.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { useAllowance } from '../../components/use-allowance.js';
import { showDone } from '../../components/messages.js';
import { SigningSecret } from './signing-secret.js';
import { useWebhookRefresh, type Webhook } from './webhook-queries.js';

/** Replaces the secret. If the service created the new one, shows it once. */
export function RotateSecret({ webhook, onClose }: { webhook: Webhook; onClose: CloseDialog }) {
  const { api } = useAccount();
  const allowance = useAllowance('webhooks:write');
  const refresh = useWebhookRefresh();
  const [secret, setSecret] = useState('');
  const [made, setMade] = useState<string>();
  const rotate = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/v1/webhooks/{id}/rotate-secret', {
          params: { path: { id: webhook.id } },
          body: secret === '' ? {} : { secret },
        }),
      ),
    // The response contains the secret, which only this component holds.
    gcTime: 0,
    onSuccess: async (rotated) => {
      if (typeof rotated.secret === 'string') {
        setMade(rotated.secret);
      } else {
        showDone('Secret rotated. Deliveries now carry both signatures.');
        await onClose();
      }
      await refresh(webhook.id);
    },
  });
  if (made !== undefined) {
    return <SigningSecret title="Secret rotated" secret={made} onClose={onClose} />;
  }
  return (
    <FormDialog
      whyNot={allowance.title}
      title="Rotate secret"
      submit="Rotate secret"
      submission={rotate}
      onClose={onClose}
      onSubmit={() => {
        rotate.mutate();
      }}
    >
      <Text size="sm">
        For 24 hours, deliveries carry signatures from both the new secret and the one ending in{' '}
        {webhook.secretPreview}. Update your server in that time.
      </Text>
      <TextInput
        label="Secret"
        description="Leave empty to generate a secret (recommended)."
        value={secret}
        autoComplete="off"
        error={rotate.error ? asFailure(rotate.error).problemOf('secret') : undefined}
        onChange={({ currentTarget }) => {
          setSecret(currentTarget.value);
        }}
      />
    </FormDialog>
  );
}
