import { Button, Group, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock, prettyJson } from '../../components/code-block.js';
import { formatBytes } from '../../components/numbers.js';
import type { DeliveryInFull } from './webhook-queries.js';

/** Returns headers in the format of HTTP. */
export function Headers({ name, headers }: { name: string; headers: Record<string, string> }) {
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}`);
  return (
    <div>
      <Title order={3} size="h5" mb={6}>
        {name}
      </Title>
      <CodeBlock name={name} text={lines.length === 0 ? 'None' : lines.join('\n')} />
    </div>
  );
}

/** Shows what every attempt of a delivery sends. */
export function DeliveryBody({ delivery }: { delivery: DeliveryInFull }) {
  const { requestBody, requestBodyTruncated } = delivery;
  if (requestBody === null) {
    return (
      <Text size="sm" c="dimmed">
        The event and its payload have expired.
      </Text>
    );
  }
  return <BodyText name="Request body" text={requestBody} isTruncated={requestBodyTruncated} />;
}

interface BodyTextProps {
  name: string;
  text: string;
  /** True if the body is longer than `text`. */
  isTruncated: boolean;
}

/** Number of characters to show at first. */
const SHOWN_AT_ONCE = 4_096;

/** Shows the beginning of a body, and the rest on demand. */
export function BodyText({ name, text, isTruncated }: BodyTextProps) {
  const [showsAll, setShowsAll] = useState(false);
  const pretty = isTruncated ? text : prettyJson(text);
  const isLong = pretty.length > SHOWN_AT_ONCE;
  const shown = isLong && !showsAll ? pretty.slice(0, SHOWN_AT_ONCE) : pretty;
  const isCut = isTruncated || shown.length < pretty.length;
  return (
    <div>
      <Title order={3} size="h5" mb={6}>
        {name}
      </Title>
      {text === '' ? (
        <Text size="sm" c="dimmed">
          Empty
        </Text>
      ) : (
        <CodeBlock name={name} text={shown} />
      )}
      <Group gap="xs" mt={6}>
        {isCut && (
          <Text size="sm" c="dimmed">
            Showing the first {formatBytes(new TextEncoder().encode(shown).length)}
          </Text>
        )}
        {isLong && !showsAll && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => {
              setShowsAll(true);
            }}
          >
            {`Show ${formatBytes(new TextEncoder().encode(pretty).length)}`}
          </Button>
        )}
      </Group>
    </div>
  );
}
