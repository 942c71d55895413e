import { Alert, Badge } from '@mantine/core';
import { Time } from '../../components/time.js';
import type { Webhook } from './webhook-queries.js';
import classes from './webhook-status.module.css';

/** Active, failing or disabled, in one word. */
export function StatusBadge({ webhook }: { webhook: Webhook }) {
  if (webhook.status === 'disabled') return <Badge color="red">Disabled</Badge>;
  if (isFailing(webhook)) return <Badge color="orange">Failing</Badge>;
  return <Badge color="green">Active</Badge>;
}

/** The status in a list, with its reason. */
export function StatusCell({ webhook }: { webhook: Webhook }) {
  const { status, disabledAt, disabledReason, failingSince } = webhook;
  return (
    <div className={classes.cell}>
      <StatusBadge webhook={webhook} />
      {status === 'disabled' && (
        <div>
          {disabledAt !== null && (
            <>
              Since <Time at={disabledAt} />.{' '}
            </>
          )}
          {disabledReason}
        </div>
      )}
      {isFailing(webhook) && failingSince !== null && (
        <div>
          No success since <Time at={failingSince} />
        </div>
      )}
    </div>
  );
}

/** On the page of a webhook: why nothing arrives, since when, and what happens next. */
export function StatusAlert({ webhook }: { webhook: Webhook }) {
  const { status, disabledAt, disabledReason, failingSince, nextProbeAt } = webhook;
  if (status === 'disabled') {
    return (
      <Alert color="red" title="Webhook disabled" mb="md">
        {disabledReason}{' '}
        {disabledAt !== null && (
          <>
            Disabled since <Time at={disabledAt} format="exact" />.{' '}
          </>
        )}
        Enable the webhook to resume deliveries, then use Recover to resend missed events.
      </Alert>
    );
  }
  if (!isFailing(webhook) || failingSince === null) return null;
  return (
    <Alert color="orange" title="Webhook failing" mb="md">
      No successful attempts since <Time at={failingSince} format="exact" />.{' '}
      {nextProbeAt !== null && (
        <>
          Deliveries are paused. Next attempt <Time at={nextProbeAt} />.{' '}
        </>
      )}
      The webhook is disabled after five days without success.
    </Alert>
  );
}

function isFailing({ status, failingSince }: Webhook): boolean {
  return status === 'active' && failingSince !== null;
}
