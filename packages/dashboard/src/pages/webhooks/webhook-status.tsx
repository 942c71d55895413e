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

/** In a list: the word, and what somebody should know. */
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
      <Alert color="red" title="This webhook is disabled" mb="md">
        {disabledReason}{' '}
        {disabledAt !== null && (
          <>
            It has been so since <Time at={disabledAt} format="exact" />.{' '}
          </>
        )}
        Nothing is sent to it until it is enabled; Recover then sends what was missed.
      </Alert>
    );
  }
  if (!isFailing(webhook) || failingSince === null) return null;
  return (
    <Alert color="orange" title="This webhook is failing" mb="md">
      No attempt has succeeded since <Time at={failingSince} format="exact" />.{' '}
      {nextProbeAt !== null && (
        <>
          Deliveries wait until one gets through; the next is tried <Time at={nextProbeAt} />.{' '}
        </>
      )}
      After five days without a success the webhook is disabled.
    </Alert>
  );
}

function isFailing({ status, failingSince }: Webhook): boolean {
  return status === 'active' && failingSince !== null;
}
