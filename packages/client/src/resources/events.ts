import type { Call } from '../call.js';
import { ApiError, ConnectionError } from '../errors.js';
import type { List, Page } from '../list.js';
import { messagesOf } from '../server-sent-events.js';
import { pause, type RequestOptions } from '../transport.js';
import type { Query, Schemas, WebhookEvent } from '../types.js';
import { Resource } from './resource.js';

export interface StreamOptions {
  /** Names such as `document.created`, or patterns such as `document.*`. Defaults to all. */
  types?: readonly string[] | undefined;
  /** Starts after this event. Defaults to new events only. */
  lastEventId?: string | undefined;
  /** Ends the iteration without an error, also during a request or a wait. */
  signal?: AbortSignal | undefined;
  /** Reconnects after this time without data. The service sends a heartbeat every 15 seconds. */
  silenceMs?: number | undefined;
}

export interface FollowOptions {
  /**
   * Where to start: `start` (the oldest stored event, the default), `now`, the cursor of the last processed event, or the
   * id of an event.
   */
  after?: string | undefined;
  /** Names such as `document.created`, or patterns such as `document.*`. A cursor is only valid with its types. */
  types?: readonly string[] | undefined;
  /** Returns only events of this document. */
  documentId?: string | undefined;
  /** Ends the iteration without an error, also during a request or a wait. */
  signal?: AbortSignal | undefined;
  /** Maximum number of events per request, 1 to 100. Defaults to 100. */
  limit?: number | undefined;
  /** Delay in ms after a request that found nothing. Doubles up to `maxPollMs`. Defaults to 1,000. */
  pollMs?: number | undefined;
  /** Maximum delay in ms. Defaults to 10,000. */
  maxPollMs?: number | undefined;
  /**
   * Called when all events up to this cursor were processed, even if none had these types. Store the cursor: one that
   * advances with other events does not expire.
   */
  onCursor?: ((cursor: string) => unknown) | undefined;
}

/** A thin event with the cursor that continues after it. */
export type FollowedEvent = WebhookEvent & { cursor: string };

const FIRST_DELAY_MS = 2_000;
const MAX_DELAY_MS = 30_000;

export class Events extends Resource {
  list(query?: Query<'listEvents'>, options?: RequestOptions): List<WebhookEvent> {
    return this.api.list('/v1/events', { query, ...options }) as List<WebhookEvent>;
  }

  get(id: string, options?: RequestOptions): Call<WebhookEvent> {
    const call = this.api.request('GET', '/v1/events/{id}', { path: { id }, ...options });
    return call as Call<WebhookEvent>;
  }

  /** Returns every event type with its schema and an example. */
  types(query?: Query<'listEventTypes'>, options?: RequestOptions): List<Schemas['EventType']> {
    return this.api.list('/v1/event-types', { query, ...options });
  }

  /**
   * Polls events in commit order, oldest first, without loss: each event is returned at least once. Retries failed requests
   * and respects `Retry-After`. Throws `ExpiredCursorError` if events after `after` are gone, and permanent errors such as
   * a revoked key. End it with `break` or the signal.
   */
  follow(options: FollowOptions = {}): AsyncGenerator<FollowedEvent, void, undefined> {
    return untilAborted(this.followed(options), options.signal);
  }

  private async *followed(options: FollowOptions): AsyncGenerator<FollowedEvent, void, undefined> {
    const { types, documentId, signal, limit = 100, onCursor } = options;
    let after = options.after ?? 'start';
    let quiet = 0;
    for (;;) {
      const query = { after, type: types && [...types], documentId, limit };
      const page = await this.listWithRetries(query, signal);
      const next = page.pagination.nextCursor ?? after;
      const last = page.data.length - 1;
      // An event id is a cursor too. After the last event, the cursor of the page is further ahead.
      for (const [index, event] of page.data.entries()) {
        signal?.throwIfAborted();
        yield { ...event, cursor: index === last ? next : event.id };
      }
      if (next !== after) await onCursor?.(next);
      after = next;
      quiet = page.data.length > 0 || page.hasMore ? 0 : quiet + 1;
      if (!page.hasMore) await pause(pollDelay(quiet, options), signal);
    }
  }

  /** Retries the request until it succeeds. Throws permanent errors. */
  private async listWithRetries(
    query: Query<'listEvents'>,
    signal?: AbortSignal,
  ): Promise<Page<WebhookEvent>> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await this.list(query, { signal });
      } catch (error) {
        signal?.throwIfAborted();
        await pause(delayAfter(failures, FIRST_DELAY_MS, temporaryError(error)), signal);
      }
    }
  }

  /**
   * Yields events as they happen, each once and in order. Reconnects after an interruption and continues after the last
   * event. Throws only permanent errors, such as a revoked key. End it with `break` or the signal.
   */
  stream(options: StreamOptions = {}): AsyncGenerator<WebhookEvent, void, undefined> {
    return untilAborted(this.streamed(options), options.signal);
  }

  private async *streamed(options: StreamOptions): AsyncGenerator<WebhookEvent, void, undefined> {
    const { types, signal } = options;
    // Reads this first, so nothing is lost if the connection ends before the first event.
    let last = options.lastEventId ?? (await this.newestCursor(types, signal));
    let pauseMs = FIRST_DELAY_MS;
    for (let failures = 0; ; failures += 1) {
      let reason: ApiError | ConnectionError | undefined;
      try {
        for await (const { id, retry, data } of this.connection(options, last)) {
          failures = 0;
          pauseMs = retry ?? pauseMs;
          last = id ?? last;
          signal?.throwIfAborted();
          if (data !== '') yield JSON.parse(data) as WebhookEvent;
        }
      } catch (error) {
        signal?.throwIfAborted();
        reason = temporaryError(error);
      }
      await pause(delayAfter(failures, pauseMs, reason), signal);
    }
  }

  private async *connection({ types, signal, silenceMs = 45_000 }: StreamOptions, last: string) {
    const response = await this.api.stream('/v1/events/stream', {
      query: types && { types: types.join(',') },
      headers: { 'Last-Event-ID': last },
      signal,
      maxRetries: 0,
    });
    yield* messagesOf(response, silenceMs);
  }

  /**
   * Returns the cursor after the newest event. Do not use the newest event of the list by time instead: an event that
   * commits later can have an earlier time.
   */
  private async newestCursor(
    types: readonly string[] | undefined,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const query = { after: 'now', type: types && [...types], limit: 1 };
    const { pagination } = await this.list(query, { signal });
    return pagination.nextCursor ?? '';
  }
}

/** Ends when the signal aborts, instead of throwing its reason. */
async function* untilAborted<Item>(
  items: AsyncGenerator<Item, void, undefined>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Item, void, undefined> {
  try {
    yield* items;
  } catch (error) {
    if (!signal?.aborted || error !== signal.reason) throw error;
  }
}

/** Increases with each failure. Respects `Retry-After`. */
function delayAfter(failures: number, pauseMs: number, reason?: Error): number {
  const longest = Math.min(pauseMs * 2 ** failures, MAX_DELAY_MS);
  const retryAfterMs = reason instanceof ApiError ? (reason.retryAfter ?? 0) * 1000 : 0;
  return Math.max(longest * (0.5 + Math.random() / 2), retryAfterMs);
}

/** Returns a temporary error and throws any other. */
function temporaryError(error: unknown): ApiError | ConnectionError {
  if (error instanceof ConnectionError) return error;
  if (error instanceof ApiError && (error.status === 429 || error.status >= 500)) return error;
  throw error;
}

/** Returns the delay before the next poll in ms: doubles after each empty page, up to `maxPollMs`. */
function pollDelay(
  emptyPages: number,
  { pollMs = 1_000, maxPollMs = 10_000 }: FollowOptions,
): number {
  return Math.min(pollMs * 2 ** Math.max(emptyPages - 1, 0), maxPollMs);
}
