import { Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { bodyOf } from '../../api/client.js';
import { asFailure } from '../../api/failure.js';
import { useAccount } from '../../api/session.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { useAllowance } from '../../components/use-allowance.js';
import { showDone, showWarnings } from '../../components/messages.js';
import { SigningSecret } from './signing-secret.js';
import { WebhookFields } from './webhook-fields.js';
import { filterOf, headersOf, NEW_WEBHOOK } from './webhook-form.js';
import { useWebhookRefresh, type RegisteredWebhook } from './webhook-queries.js';

/** Creates a webhook, shows its secret once, and opens its page. */
export function CreateWebhook({ onClose }: { onClose: CloseDialog }) {
  const { api } = useAccount();
  const allowance = useAllowance('webhooks:write');
  const navigate = useNavigate();
  const refresh = useWebhookRefresh();
  const [form, setForm] = useState(NEW_WEBHOOK);
  const [secret, setSecret] = useState('');
  const [made, setMade] = useState<RegisteredWebhook>();
  const open = (webhookId: string) => {
    return navigate({ to: '/{-$accountId}/webhooks/$webhookId', params: { webhookId } });
  };
  const create = useMutation({
    mutationFn: () => {
      const { url, events, payload, description } = form;
      const body = {
        ...{ url, events, payload },
        headers: headersOf(form.headers),
        filter: filterOf(form),
        ...(description !== '' && { description }),
        ...(secret !== '' && { secret }),
      };
      return bodyOf(api.POST('/v1/webhooks', { body }));
    },
    // The response contains the secret, which only this component holds.
    gcTime: 0,
    onSuccess: async ({ data: webhook, meta }) => {
      showWarnings(meta.warnings);
      if (typeof webhook.secret === 'string') {
        setMade(webhook);
      } else {
        showDone('Webhook created.');
        await onClose();
        await open(webhook.id);
      }
      await refresh();
    },
  });
  if (made) {
    return (
      <SigningSecret
        title="Webhook created"
        secret={made.secret ?? ''}
        onClose={async (isLeaving) => {
          await onClose(isLeaving);
          if (isLeaving !== true) await open(made.id);
        }}
      />
    );
  }
  return (
    <FormDialog
      whyNot={allowance.title}
      title="Create webhook"
      submit="Create webhook"
      size="lg"
      submission={create}
      disabled={form.url.trim() === '' || form.events.length === 0}
      onSubmit={() => {
        create.mutate();
      }}
      onClose={onClose}
    >
      <WebhookFields
        form={form}
        error={create.error}
        onChange={(changes) => {
          setForm((before) => ({ ...before, ...changes }));
        }}
      >
        <TextInput
          label="Secret"
          description="Signs each delivery. Leave empty to generate a secret (recommended)."
          value={secret}
          autoComplete="off"
          error={create.error ? asFailure(create.error).problemOf('secret') : undefined}
          onChange={({ currentTarget }) => {
            setSecret(currentTarget.value);
          }}
        />
      </WebhookFields>
      <Text size="sm" c="dimmed">
        Events are sent immediately and retried for three days until your server returns 2xx.
      </Text>
    </FormDialog>
  );
}
