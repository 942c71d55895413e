import type { Request, Response } from 'express';
import type { Principal } from '../../access/auth/principal.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { sampleId } from '../../../platform/openapi/property-decorators.js';
import { isSelected } from '../catalogue.js';
import { hasExpired, type EventPlace, type StreamPosition } from '../event-place.js';
import type { Batch, StreamedEvent, StreamStart } from './stream-reader.js';

/** How long a client waits before it comes back, in milliseconds. */
const RETRY_MS = 2_000;

/** The first block of a stream: a client sees that it is open before anything happens. */
export const OPENING = `retry: ${String(RETRY_MS)}\n: the stream is open\n\n`;

/** A comment, which clients drop; it keeps proxies from closing a quiet connection. */
export const HEARTBEAT = ': heartbeat\n\n';

/** The stream of one client. It is given more only when it has taken what it was given, so it holds one batch at most. */
export class EventStream {
  private lastWriteAt = 0;
  /** Everything up to here was given, or is not for this stream. */
  private position: EventPlace;
  private readonly seen: ReadonlySet<string>;

  constructor(
    readonly principal: Principal,
    /** Names and patterns of the events that are shown. */
    private readonly selection: readonly string[],
    { position, seen }: StreamStart,
    private readonly response: Response,
  ) {
    this.position = position;
    this.seen = seen;
  }

  get at(): StreamPosition {
    return this.position;
  }

  /** The request that the stream answers. */
  get request(): Request {
    return this.response.req;
  }

  /** Whether the client is there and has taken all it was given. */
  get ready(): boolean {
    return this.response.writable && !this.response.writableNeedDrain;
  }

  /** Sends the headers, so that the client knows it is connected. `onReady` is called whenever it has caught up. */
  open(onReady: () => void): void {
    this.response.on('drain', onReady);
    // A connection that breaks is closed, and that is all there is to do.
    this.response.on('error', () => undefined);
    writeStreamHead(this.response);
    this.write(OPENING);
  }

  /**
   * Gives the client those of the events that are selected. Ends the stream if others before them have expired meanwhile:
   * the client comes back and is told where to go on.
   */
  send({ events, horizon }: Batch): void {
    const last = events.at(-1);
    if (!last) return;
    if (hasExpired(this.position, horizon)) {
      this.end();
      return;
    }
    this.position = { ...this.position, position: last.position, id: last.id };
    const shown = events.filter(
      ({ type, id }) => isSelected(type, this.selection) && !this.seen.has(id),
    );
    if (shown.length > 0) this.write(shown.map(eventMessage).join(''));
  }

  /** Says that the connection lives when nothing was written for `afterMs`, unless the client is behind anyway. */
  beat(afterMs: number): void {
    if (this.ready && performance.now() - this.lastWriteAt >= afterMs) this.write(HEARTBEAT);
  }

  /** Ends the stream after what was given, or at once when the client does not take it; it may come back. */
  end(): void {
    if (this.ready) this.response.end();
    else this.response.destroy();
  }

  private write(text: string): void {
    if (!this.response.writable) return;
    this.lastWriteAt = performance.now();
    this.response.write(text);
  }
}

/** The headers of a stream; the last one keeps nginx from collecting it. */
export function writeStreamHead(response: Response): void {
  response.status(200);
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Accel-Buffering', 'no');
  response.flushHeaders();
}

/** Answers a HEAD request with the headers of a stream. Returns false for other methods. */
export function answersHead(response: Response): boolean {
  if (response.req.method !== 'HEAD') return false;
  writeStreamHead(response);
  response.end();
  return true;
}

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
