import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { useAllowance } from '../../components/use-allowance.js';
import { showDone, showFailure } from '../../components/messages.js';
import { ScopedButton } from '../../components/scoped-button.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { Recover } from './recover.js';
import { RotateSecret } from './rotate-secret.js';
import { useWebhookRefresh, type Webhook } from './webhook-queries.js';

const SCOPE = 'webhooks:write';
const ENABLE_FIRST = { title: 'Enable the webhook first.' };

/** What can be done with a webhook. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const { dialog, open, close } = useDialogs();
  const ask = (name: string) => () => {
    open(name);
  };
  const enable = useEnable(webhook);
  const isDisabled = webhook.status === 'disabled';
  return (
    <>
      <ScopedButton scope={SCOPE} variant="subtle" color="red" onClick={ask('delete')}>
        Delete
      </ScopedButton>
      <ScopedButton scope={SCOPE} variant="default" onClick={ask('rotate-secret')}>
        Rotate secret
      </ScopedButton>
      <ScopedButton
        scope={SCOPE}
        variant="default"
        disabled={isDisabled}
        {...(isDisabled && ENABLE_FIRST)}
        onClick={ask('recover')}
      >
        Recover
      </ScopedButton>
      {isDisabled ? (
        <ScopedButton
          scope={SCOPE}
          loading={enable.isPending}
          onClick={() => {
            enable.mutate();
          }}
        >
          Enable
        </ScopedButton>
      ) : (
        <ScopedButton scope={SCOPE} variant="default" onClick={ask('disable')}>
          Disable
        </ScopedButton>
      )}
      <SendTestEvent webhook={webhook} />
      {dialog === 'rotate-secret' && <RotateSecret webhook={webhook} onClose={close} />}
      {dialog === 'disable' && <Disable webhook={webhook} onClose={close} />}
      {dialog === 'delete' && <Delete webhook={webhook} onClose={close} />}
      {dialog === 'recover' && <Recover webhook={webhook} onClose={close} />}
    </>
  );
}

function useEnable({ id }: Webhook) {
  const { api } = useAccount();
  const refresh = useWebhookRefresh();
  return useMutation({
    mutationFn: () =>
      dataOf(
        api.PATCH('/v1/webhooks/{id}', { params: { path: { id } }, body: { status: 'active' } }),
      ),
    onSuccess: () => {
      showDone('Webhook enabled. Use Recover to resend missed deliveries.');
      return refresh();
    },
    onError: showFailure,
  });
}

/** Sends a `webhook.test` to this webhook alone, and opens its delivery. */
function SendTestEvent({ webhook: { id, status } }: { webhook: Webhook }) {
  const { api } = useAccount();
  const navigate = useNavigate();
  const refresh = useWebhookRefresh();
  const send = useMutation({
    mutationFn: () => dataOf(api.POST('/v1/webhooks/{id}/test', { params: { path: { id } } })),
    onSuccess: async (delivery) => {
      showDone('Test event sent.');
      await navigate({
        to: '/{-$accountId}/webhooks/$webhookId/deliveries/$deliveryId',
        params: { webhookId: id, deliveryId: delivery.id },
        search: {},
      });
      await refresh(id);
    },
    onError: showFailure,
  });
  return (
    <ScopedButton
      scope={SCOPE}
      loading={send.isPending}
      disabled={status === 'disabled'}
      {...(status === 'disabled' && ENABLE_FIRST)}
      onClick={() => {
        send.mutate();
      }}
    >
      Send test event
    </ScopedButton>
  );
}

interface AskProps {
  webhook: Webhook;
  onClose: CloseDialog;
}

function Disable({ webhook: { id, url }, onClose }: AskProps) {
  const { api } = useAccount();
  const allowance = useAllowance('webhooks:write');
  const refresh = useWebhookRefresh();
  const disable = useMutation({
    mutationFn: () =>
      dataOf(
        api.PATCH('/v1/webhooks/{id}', { params: { path: { id } }, body: { status: 'disabled' } }),
      ),
    onSuccess: async () => {
      showDone('Webhook disabled.');
      await onClose();
      await refresh();
    },
  });
  return (
    <FormDialog
      whyNot={allowance.title}
      title="Disable webhook"
      submit="Disable"
      color="red"
      submission={disable}
      onClose={onClose}
      onSubmit={() => {
        disable.mutate();
      }}
    >
      Stops sending events to {url} and cancels pending deliveries. Recover can resend them later.
      New events appear only in Events.
    </FormDialog>
  );
}

function Delete({ webhook: { id, url }, onClose }: AskProps) {
  const { api } = useAccount();
  const allowance = useAllowance('webhooks:write');
  const navigate = useNavigate();
  const refresh = useWebhookRefresh();
  const remove = useMutation({
    mutationFn: () => dataOf(api.DELETE('/v1/webhooks/{id}', { params: { path: { id } } })),
    onSuccess: async () => {
      showDone('Webhook deleted.');
      await onClose();
      await navigate({ to: '/{-$accountId}/webhooks' });
      await refresh();
    },
  });
  return (
    <FormDialog
      whyNot={allowance.title}
      title="Delete webhook"
      submit="Delete"
      color="red"
      submission={remove}
      onClose={onClose}
      onSubmit={() => {
        remove.mutate();
      }}
    >
      Deletes the webhook for {url} and cancels pending deliveries. You can't undo this.
    </FormDialog>
  );
}
