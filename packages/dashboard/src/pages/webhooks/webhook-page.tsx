import { Outlet, useParams } from '@tanstack/react-router';
import { AddressTabs } from '../../components/address-tabs.js';
import { AppLink } from '../../components/app-link.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { Page } from '../../components/page.js';
import { LoadingLines } from '../../components/page-loading.js';
import { Time } from '../../components/time.js';
import { DeliveriesTab } from './deliveries-tab.js';
import { SettingsTab } from './settings-tab.js';
import { TestReceiverTab } from './test-receiver-tab.js';
import { WebhookActions } from './webhook-actions.js';
import { useWebhook, type Webhook } from './webhook-queries.js';
import { webhookName } from './webhook-name.js';
import { StatusAlert, StatusBadge } from './webhook-status.js';

/** A webhook: its status, its deliveries, and its settings. The panel of a delivery opens over it. */
export function WebhookPage() {
  const { webhookId = '' } = useParams({ strict: false });
  const { data: webhook, error, refetch } = useWebhook(webhookId);
  if (!webhook) {
    return (
      <Page title="Webhook" above={ABOVE}>
        {error ? (
          <FailureAlert error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingLines rows={10} height={28} />
        )}
      </Page>
    );
  }
  return (
    <Page
      title={webhookName(webhook)}
      above={ABOVE}
      sentence={<Head webhook={webhook} />}
      actions={<WebhookActions webhook={webhook} />}
    >
      <StatusAlert webhook={webhook} />
      <AddressTabs
        label="Webhook"
        name="tab"
        tabs={[
          {
            value: 'deliveries',
            title: 'Deliveries',
            panel: () => <DeliveriesTab webhook={webhook} />,
          },
          {
            value: 'settings',
            title: 'Settings',
            panel: () => <SettingsTab webhook={webhook} key={webhook.id} />,
          },
          {
            value: 'receiver',
            title: 'Test receiver',
            panel: () => <TestReceiverTab webhook={webhook} />,
          },
        ]}
      />
      <Outlet />
    </Page>
  );
}

const ABOVE = <AppLink to="/{-$accountId}/webhooks">Webhooks</AppLink>;

function Head({ webhook }: { webhook: Webhook }) {
  const { url, lastDeliveryAt } = webhook;
  return (
    <>
      <StatusBadge webhook={webhook} /> {url}
      {' · '}
      {lastDeliveryAt === null ? (
        'No successful deliveries yet'
      ) : (
        <>
          Last success <Time at={lastDeliveryAt} />
        </>
      )}
    </>
  );
}
