import { Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { bodyOf, dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import type { CloseDialog } from '../../components/dialog.js';
import { showDone, showFailure, showWarnings } from '../../components/messages.js';
import { RowMenu } from '../../components/row-menu.js';
import { ScopedButton } from '../../components/scoped-button.js';
import { useAllowance } from '../../components/use-allowance.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { Recover, RECOVER_ALL } from './recover.js';
import { RotateSecret } from './rotate-secret.js';
import { useWebhookRefresh, type Webhook } from './webhook-queries.js';

const SCOPE = 'webhooks:write';
const ENABLE_FIRST = { title: 'Enable the webhook first.' };

/** The main actions of a webhook, and a menu with the others. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const { dialog, of, close } = useDialogs();
  return (
    <>
      {webhook.status === 'disabled' ? (
        <Enable webhook={webhook} />
      ) : (
        <SendTestEvent webhook={webhook} />
      )}
      <OtherActions webhook={webhook} />
      {dialog === 'rotate-secret' && <RotateSecret webhook={webhook} onClose={close} />}
      {dialog === 'disable' && <Disable webhook={webhook} onClose={close} />}
      {dialog === 'delete' && <Delete webhook={webhook} onClose={close} />}
      {dialog === 'recover' && (
        <Recover
          webhook={webhook}
          onClose={close}
          {...(of === RECOVER_ALL && { from: new Date(webhook.createdAt) })}
        />
      )}
    </>
  );
}

function OtherActions({ webhook }: { webhook: Webhook }) {
  const { open } = useDialogs();
  const allowance = useAllowance(SCOPE);
  const isDisabled = webhook.status === 'disabled';
  const ask = (name: string) => () => {
    open(name);
  };
  return (
    <RowMenu name="this webhook" isBordered>
      <Menu.Item
        onClick={ask('recover')}
        {...(isDisabled && { disabled: true, ...ENABLE_FIRST })}
        {...allowance}
      >
        Recover deliveries
      </Menu.Item>
      <Menu.Item onClick={ask('rotate-secret')} {...allowance}>
        Rotate secret
      </Menu.Item>
      <Menu.Divider />
      {!isDisabled && (
        <Menu.Item onClick={ask('disable')} {...allowance}>
          Disable webhook
        </Menu.Item>
      )}
      <Menu.Item color="red" onClick={ask('delete')} {...allowance}>
        Delete webhook
      </Menu.Item>
    </RowMenu>
  );
}

function Enable({ webhook }: { webhook: Webhook }) {
  const enable = useEnable(webhook);
  return (
    <ScopedButton
      scope={SCOPE}
      loading={enable.isPending}
      onClick={() => {
        enable.mutate();
      }}
    >
      Enable webhook
    </ScopedButton>
  );
}

function useEnable({ id }: Webhook) {
  const { api } = useAccount();
  const refresh = useWebhookRefresh();
  return useMutation({
    mutationFn: () =>
      bodyOf(
        api.PATCH('/v1/webhooks/{id}', { params: { path: { id } }, body: { status: 'active' } }),
      ),
    onSuccess: ({ meta }) => {
      showWarnings(meta.warnings);
      showDone('Webhook enabled. Choose “Recover deliveries” to resend missed deliveries.');
      return refresh();
    },
    onError: showFailure,
  });
}

/** Sends a `webhook.test` to this webhook alone, and opens its delivery. */
function SendTestEvent({ webhook: { id } }: { webhook: Webhook }) {
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
  const refresh = useWebhookRefresh();
  return (
    <ConfirmDialog
      title="Disable webhook"
      scope={SCOPE}
      isDangerous
      run={() => {
        const params = { path: { id } };
        return dataOf(api.PATCH('/v1/webhooks/{id}', { params, body: { status: 'disabled' } }));
      }}
      onDone={async () => {
        showDone('Webhook disabled.');
        await onClose();
        await refresh();
      }}
      onClose={onClose}
    >
      Stops sending events to {url} and cancels pending deliveries. You can recover them later. New
      events appear only in Events.
    </ConfirmDialog>
  );
}

function Delete({ webhook: { id, url }, onClose }: AskProps) {
  const { api } = useAccount();
  const navigate = useNavigate();
  const refresh = useWebhookRefresh();
  return (
    <ConfirmDialog
      title="Delete webhook"
      scope={SCOPE}
      isDangerous
      run={() => dataOf(api.DELETE('/v1/webhooks/{id}', { params: { path: { id } } }))}
      onDone={async () => {
        showDone('Webhook deleted.');
        await onClose();
        await navigate({ to: '/{-$accountId}/webhooks' });
        await refresh();
      }}
      onClose={onClose}
    >
      Deletes the webhook for {url} and cancels pending deliveries. You can't undo this.
    </ConfirmDialog>
  );
}
