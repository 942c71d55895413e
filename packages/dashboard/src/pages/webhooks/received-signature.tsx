import { Badge } from '@mantine/core';
import type { components } from '../../api/v1-schema.js';
import type { ReceivedDelivery } from '../../api/people.js';
import { useReceived, useReceivers, type Webhook } from './webhook-queries.js';

const COLOURS = { valid: 'green', invalid: 'red', unknown: 'gray' } as const;
const MEANINGS = {
  valid: 'Signature valid',
  invalid: 'Signature invalid',
  unknown: 'Signature unknown',
} as const;

export function Signature({ signature }: Pick<ReceivedDelivery, 'signature'>) {
  return (
    <Badge color={COLOURS[signature]} miw="max-content">
      {MEANINGS[signature]}
    </Badge>
  );
}

interface ReceivedSignatureProps {
  webhook: Webhook;
  attempt: components['schemas']['Attempt'];
}

/** Shows whether the signature of an attempt is valid, if a test receiver received it. */
export function ReceivedSignature({ webhook, attempt }: ReceivedSignatureProps) {
  const receiver = useReceivers().data?.find(({ url }) => url === webhook.url);
  const signature = attempt.requestHeaders['webhook-signature'];
  const received = useReceived(receiver?.id);
  // Signatures contain the time, so no two attempts have the same.
  const found = received.data?.find(({ headers }) => headers['webhook-signature'] === signature);
  return found && signature !== undefined ? <Signature signature={found.signature} /> : null;
}
