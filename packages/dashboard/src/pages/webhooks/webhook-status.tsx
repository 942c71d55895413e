import { Alert, Badge } from '@mantine/core';
import { Time } from '../../components/time.js';
import type { Webhook } from './webhook-queries.js';
import classes from './webhook-status.module.css';

/** Shows active, failing or disabled. */
export function StatusBadge({ webhook }: { webhook: Webhook }) {
  if (webhook.status === 'disabled') return <Badge color="red">Disabled</Badge>;
  if (isFailing(webhook)) return <Badge color="orange">Failing</Badge>;
  return <Badge color="green">Active</Badge>;
}

/** Shows the status in a list, with one reason. */
export function StatusCell({ webhook }: { webhook: Webhook }) {
  return (
    <>
      <StatusBadge webhook={webhook} />
      <Reason webhook={webhook} />
    </>
  );
}

function Reason({ webhook }: { webhook: Webhook }) {
  const { status, disabledReason, failingSince } = webhook;
  if (status === 'disabled') {
    const reason = disabledReason ?? 'Disabled by a member';
    return (
      <span className={classes.reason} title={reason}>
        {firstSentence(reason)}
      </span>
    );
  }
  if (!isFailing(webhook) || failingSince === null) return null;
  return (
    <span className={classes.reason}>
      First failure <Time at={failingSince} />
    </span>
  );
}

function firstSentence(text: string): string {
  return text.split(/\.(?:\s|$)/)[0] ?? text;
}

/** Shows on the page of a webhook why nothing arrives, since when, and what happens next. */
export function StatusAlert({ webhook }: { webhook: Webhook }) {
  const { status, disabledAt, disabledReason, failingSince, nextProbeAt } = webhook;
  if (status === 'disabled') {
    return (
      <Alert color="red" title="Webhook disabled" mb="md">
        {disabledReason}{' '}
        {disabledAt !== null && (
          <>
            Disabled <Time at={disabledAt} />.{' '}
          </>
        )}
        Enable the webhook to resume deliveries, then recover the missed deliveries.
      </Alert>
    );
  }
  if (!isFailing(webhook) || failingSince === null) return null;
  return (
    <Alert color="orange" title="Webhook failing" mb="md">
      All attempts have failed. The first failure was <Time at={failingSince} />.{' '}
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
