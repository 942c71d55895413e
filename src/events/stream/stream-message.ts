import { encodeId } from '../../identifiers/identifiers.js';
import { sampleId } from '../../openapi/property-decorators.js';
import type { StreamedEvent } from './stream-reader.js';

/** How long a client waits before it comes back, in milliseconds. */
const RETRY_MS = 2_000;

/** The first block of a stream: it says that all is well before anything happens. */
export const OPENING = `retry: ${String(RETRY_MS)}\n: the stream is open\n\n`;

/** A comment, which clients drop; it keeps proxies from closing a quiet connection. */
export const HEARTBEAT = ': heartbeat\n\n';

/**
 * An event as a block of a stream of server-sent events (WHATWG HTML, 9.2). What a client sent is in the body to the
 * letter, so there can be line breaks between its tokens; each line of it gets a field of its own.
 */
export function eventMessage({ id, type, body }: StreamedEvent): string {
  const data = body
    .split(/\r\n|\r|\n/)
    .map((line) => `data: ${line}\n`)
    .join('');
  return `id: ${encodeId('event', id)}\nevent: ${type}\n${data}\n`;
}

/** What the API document shows of a stream. */
export const STREAM_EXAMPLE =
  OPENING +
  `id: ${sampleId('event')}\nevent: document.created\n` +
  `data: {"id":"${sampleId('event')}","type":"document.created","timestamp":"2026-11-20T08:00:00.000Z",…}\n\n` +
  HEARTBEAT;
