import { Stack, Text } from '@mantine/core';
import type { components } from '../../api/v1-schema.js';
import { Facts } from '../../components/facts.js';
import { formatDuration } from '../../components/numbers.js';
import { Time } from '../../components/time.js';
import { BodyText, DeliveryBody, Headers } from './delivery-body.js';
import type { DeliveryInFull } from './webhook-queries.js';

interface AttemptViewProps {
  attempt: components['schemas']['Attempt'];
  delivery: DeliveryInFull;
}

/** Maximum size of a stored response body, in bytes. */
const STORED_BODY_BYTES = 16 * 1_024;

/** Shows an attempt: the request, the response, and what to do if it failed. */
export function AttemptView({ attempt, delivery }: AttemptViewProps) {
  const { startedAt, durationMs, error, responseStatus, responseHeaders, responseBody } = attempt;
  return (
    <Stack>
      <Facts
        of={[
          ['Sent', <Time key="sent" at={startedAt} />],
          ['Duration', formatDuration(durationMs)],
          ['Response', responseStatus ?? 'None'],
          ['Error', error?.class],
        ]}
      />
      {error && (
        <Text size="sm" role="note">
          {error.message}
        </Text>
      )}
      <Headers name="Request headers" headers={attempt.requestHeaders} />
      <DeliveryBody delivery={delivery} />
      {responseHeaders && <Headers name="Response headers" headers={responseHeaders} />}
      {responseBody !== null && (
        <BodyText
          name="Response body"
          text={responseBody}
          isTruncated={new TextEncoder().encode(responseBody).length >= STORED_BODY_BYTES - 3}
        />
      )}
    </Stack>
  );
}
