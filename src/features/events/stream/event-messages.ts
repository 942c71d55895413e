import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { withoutContent } from './content-free-body.js';
import type { StreamedEvent } from './ordered-events.repository.js';

/** The blocks of some events, which all streams share that send the same ones: each is written and encoded once. */
export class EventMessages {
  private readonly encoded = new Map<string, Buffer>();

  /** Returns the blocks of the events, in order, in full or without the content of documents. */
  of(events: readonly StreamedEvent[], isThin: boolean): Buffer {
    const key = [isThin, ...events.map(({ id }) => id)].join(' ');
    let message = this.encoded.get(key);
    if (!message) {
      const text = events.map((event) => eventMessage(event, isThin)).join('');
      this.encoded.set(key, (message = Buffer.from(text)));
    }
    return message;
  }
}

/**
 * Returns an event as a block of server-sent events (WHATWG HTML, 9.2). Bodies contain client JSON verbatim, and it may
 * have line breaks between tokens, so each line becomes a `data` field.
 */
export function eventMessage({ id, type, body }: StreamedEvent, isThin = false): string {
  const shown = isThin ? withoutContent(body) : body;
  const lines = shown.replaceAll(/\r\n|\r|\n/g, '\ndata: ');
  return `id: ${encodeId('event', id)}\nevent: ${type}\ndata: ${lines}\n\n`;
}

/** Returns an event that has no place in the order of events, so it has no id. `data` has no line breaks. */
export function unnumberedMessage(event: string, data: string): Buffer {
  return Buffer.from(`event: ${event}\ndata: ${data}\n\n`);
}
