import type { Request, Response } from 'express';
import { sampleId } from '../../../platform/openapi/schemas.js';
import { isSelected } from '../catalogue/catalogue.js';
import { hasExpired, type EventPlace, type StreamPosition } from './event-place.js';
import type { EventMessages } from './event-messages.js';
import type { EventBatch, StreamedEvent } from './ordered-events.repository.js';
import type { Access } from '../../auth/access/access.js';
import type { Principal } from '../../auth/principal.js';
import { canReadEvent, withoutHiddenPlace } from '../event-access.js';

/** How long a client waits before it reconnects, in milliseconds. */
const RETRY_MS = 2_000;

/** The first block of a stream. It shows the client that the stream is open before any event. */
export const OPENING = `retry: ${String(RETRY_MS)}\n: the stream is open\n\n`;

/** A comment, which clients ignore. It keeps proxies from closing an idle connection. */
export const HEARTBEAT = ': heartbeat\n\n';

/** Whose stream it is, and what it sends. */
export interface StreamSubscription {
  principal: Principal;
  /** Names and patterns of events. */
  selection: readonly string[];
  /** True to leave out the content of documents. */
  isThin: boolean;
  /** UUIDs of documents: sends who is in them, and counts the principal as viewing them. */
  presenceOf: readonly string[];
}

/** The place where a stream starts, and later events that it skips because they committed before it started. */
export interface StreamStart {
  position: EventPlace;
  seen: ReadonlySet<string>;
}

/** The stream of one client. Send to it only when it is {@link ready}, so that it buffers at most one batch. */
export class EventStream {
  private lastWriteAt = 0;
  private taken = -1;
  private checks = 0;
  /** The stream has sent or skipped all events up to here. */
  private position: EventPlace;
  private readonly seen: ReadonlySet<string>;

  constructor(
    readonly subscription: StreamSubscription,
    { position, seen }: StreamStart,
    private readonly response: Response,
  ) {
    this.position = position;
    this.seen = seen;
  }

  get principal(): Principal {
    return this.subscription.principal;
  }

  get at(): StreamPosition {
    return this.position;
  }

  get request(): Request {
    return this.response.req;
  }

  /** Bytes that the client has not read and the system has not taken. */
  get unreadBytes(): number {
    return this.response.writableLength;
  }

  /** Counts a check. Returns how many there were since the client has read something. */
  checksWithoutReading(): number {
    const { socket } = this.request;
    const taken = socket.bytesWritten - socket.writableLength;
    this.checks = taken === this.taken ? this.checks + 1 : 0;
    this.taken = taken;
    return this.checks;
  }

  /** True if the client is connected and has read everything. */
  get ready(): boolean {
    return this.response.writable && !this.response.writableNeedDrain;
  }

  /** Sends the headers, so that the client knows it is connected. Calls `onReady` whenever the client has caught up. */
  open(onReady: () => void): void {
    this.response.on('drain', onReady);
    // A broken connection also emits 'close', which removes the stream.
    this.response.on('error', () => undefined);
    writeStreamHead(this.response);
    this.write(OPENING);
  }

  /**
   * Sends the selected events that `access` includes; without it, all. Ends the stream if earlier events have expired in
   * the meantime. The client then reconnects and gets an error that says where to continue. `messages` are the events of
   * this batch, for all its streams.
   */
  send({ events, horizon }: EventBatch, messages: EventMessages, access?: Access): void {
    const last = events.at(-1);
    if (!last) return;
    if (hasExpired(this.position, horizon)) {
      this.end();
      return;
    }
    this.position = { ...this.position, position: last.position, id: last.id };
    const selected = events.filter(
      ({ type, id }) => isSelected(type, this.subscription.selection) && !this.seen.has(id),
    );
    const shown = access ? readableBy(access, selected) : selected;
    if (shown.length === 0) return;
    this.write(messages.encode(shown, this.subscription.isThin));
  }

  /** Sends a complete block. Returns false if the client has not read everything yet. */
  sendBlock(block: Buffer): boolean {
    if (!this.ready) return false;
    this.write(block);
    return true;
  }

  /** Sends a heartbeat if nothing was sent for `afterMs`, unless the client is behind. */
  beat(afterMs: number): void {
    if (this.ready && performance.now() - this.lastWriteAt >= afterMs) this.write(HEARTBEAT);
  }

  /** Ends the stream after the data sent so far, or immediately if the client is not reading. The client may reconnect. */
  end(): void {
    if (this.ready) this.response.end();
    else this.response.destroy();
  }

  private write(block: string | Buffer): void {
    if (!this.response.writable) return;
    this.lastWriteAt = performance.now();
    this.response.write(block);
  }
}

function readableBy(access: Access, events: readonly StreamedEvent[]): StreamedEvent[] {
  return events
    .filter((event) => canReadEvent(access, event))
    .map((event) => ({ ...event, body: withoutHiddenPlace(event.body, access) }));
}

/** Writes the headers of a stream. `X-Accel-Buffering` turns off buffering in nginx. */
export function writeStreamHead(response: Response): void {
  response.status(200);
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Accel-Buffering', 'no');
  response.flushHeaders();
}

/** Responds to a HEAD request with the headers of a stream. Returns false for other methods. */
export function endHeadRequest(response: Response): boolean {
  if (response.req.method !== 'HEAD') return false;
  writeStreamHead(response);
  response.end();
  return true;
}

/** An example for the API document. */
export const STREAM_EXAMPLE =
  OPENING +
  `id: ${sampleId('event')}\nevent: document.created\n` +
  `data: {"id":"${sampleId('event')}","type":"document.created","timestamp":"2026-11-20T08:00:00.000Z",…}\n\n` +
  HEARTBEAT;
