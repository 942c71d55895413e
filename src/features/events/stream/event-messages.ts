import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { StreamedEvent } from './ordered-events.repository.js';

/** The blocks of some events, which all streams share that send the same ones: each is written and encoded once. */
export class EventMessages {
  private readonly encoded = new Map<string, Buffer>();

  /** Returns the blocks of the events, in order, in full or without the content of documents. */
  encode(events: readonly StreamedEvent[], isThin: boolean): Buffer {
    const key = [isThin, ...events.map(keyOf)].join(' ');
    let message = this.encoded.get(key);
    if (!message) {
      const text = events.map((event) => eventMessage(event, isThin)).join('');
      this.encoded.set(key, (message = Buffer.from(text)));
    }
    return message;
  }
}

/** Two bodies of an event have the same length only if they are equal: without the hidden place, it is shorter. */
function keyOf({ id, body }: StreamedEvent): string {
  return `${id}:${String(body.length)}`;
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

/** The start of an event about a document. Nothing that a client sent comes before it. */
const DOCUMENT = '"data":{"document":{';
/** The members up to the content, all strings. */
const BEFORE_CONTENT = ['"id":', ',"title":', ',"type":'];
const CONTENT = ',"content":';

/**
 * Returns the JSON text of an event with `contentTruncated` in place of the document's content. Returns events without
 * content unchanged. Edits the JSON text instead of parsing it, so that metadata stays exactly as its author sent it.
 */
export function withoutContent(body: string): string {
  const document = body.indexOf(DOCUMENT);
  if (document === -1) return body;
  let place: number | undefined = document + DOCUMENT.length;
  for (const name of BEFORE_CONTENT) place = place && endOfMember(body, place, name);
  const end = place && endOfMember(body, place, CONTENT);
  if (!place || !end) return body;
  return `${body.slice(0, place)},"contentTruncated":true${body.slice(end)}`;
}

/** Returns the place after a member whose value is a string, or undefined if there is another member. */
function endOfMember(body: string, start: number, name: string): number | undefined {
  const value = start + name.length;
  if (!body.startsWith(name, start) || body[value] !== '"') return undefined;
  for (let place = value + 1; ; place += 1) {
    place = body.indexOf('"', place);
    if (place === -1) return undefined;
    if (!isEscaped(body, place)) return place + 1;
  }
}

function isEscaped(body: string, quote: number): boolean {
  let backslashes = 0;
  while (body[quote - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
