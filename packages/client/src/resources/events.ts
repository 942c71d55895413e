import type { Call } from '../call.js';
import { ApiError, ConnectionError } from '../errors.js';
import type { List, Page } from '../list.js';
import { messagesOf } from '../server-sent-events.js';
import { pause, type RequestOptions } from '../transport.js';
import type { Query, Schemas, WebhookEvent } from '../types.js';
import { Resource } from './resource.js';

export interface StreamOptions {
  /** Names such as `document.created`, or patterns such as `document.*`; all of them unless said otherwise. */
  types?: readonly string[] | undefined;
  /** Begins behind this event; with what happens from now on unless said otherwise. */
  lastEventId?: string | undefined;
  /** Ends the stream: the iteration throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Silence after which the connection counts as lost; the service says something every 15 seconds. */
  silenceMs?: number | undefined;
}

export interface FollowOptions {
  /**
   * Where to begin: `start`, the oldest stored event, unless said otherwise; `now`; the cursor of an event that was
   * processed; or the id of an event.
   */
  after?: string | undefined;
  /** Names such as `document.created`, or patterns such as `document.*`. A cursor belongs to its types. */
  types?: readonly string[] | undefined;
  /** Events of one document only. */
  documentId?: string | undefined;
  /** Ends the iteration, which throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Events of one request, 1 to 100; 100 unless said otherwise. */
  limit?: number | undefined;
  /** Pause after a request that found nothing, in ms; 1,000 unless said otherwise. Doubles while nothing happens. */
  pollMs?: number | undefined;
  /** Longest of these pauses, in ms; 10,000 unless said otherwise. */
  maxPollMs?: number | undefined;
  /**
   * Called when everything up to this cursor was processed, also when no event of these types was among it. Store it: a
   * cursor that moves on while nothing happens does not expire.
   */
  onCursor?: ((cursor: string) => unknown) | undefined;
}

/** An event in its thin form, with the cursor to give as `after` to go on behind it. */
export type FollowedEvent = WebhookEvent & { cursor: string };

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;

export class Events extends Resource {
  list(query?: Query<'listEvents'>, options?: RequestOptions): List<WebhookEvent> {
    return this.api.list('/v1/events', { query, ...options }) as List<WebhookEvent>;
  }

  get(id: string, options?: RequestOptions): Call<WebhookEvent> {
    const call = this.api.request('GET', '/v1/events/{id}', { path: { id }, ...options });
    return call as Call<WebhookEvent>;
  }

  /** Every type of event, with the schema and an example of what it sends. */
  types(query?: Query<'listEventTypes'>, options?: RequestOptions): List<Schemas['EventType']> {
    return this.api.list('/v1/event-types', { query, ...options });
  }

  /**
   * Polls events in the order of their commits, without loss: each at least once, oldest first. Requests that fail are sent
   * again, after `Retry-After` where the service says so. Throws `ExpiredCursorError` if events behind `after` are gone,
   * and what cannot pass, such as a revoked key. Leave by `break`, or by the signal.
   */
  async *follow(options: FollowOptions = {}): AsyncGenerator<FollowedEvent, void, undefined> {
    const { types, documentId, signal, limit = 100, onCursor } = options;
    let after = options.after ?? 'start';
    let quiet = 0;
    for (;;) {
      const query = { after, type: types && [...types], documentId, limit };
      const page = await this.untilAnswered(query, signal);
      const next = page.pagination.nextCursor ?? after;
      const last = page.data.length - 1;
      // The id of an event is a cursor too; behind the last one the cursor of the page has seen the most.
      for (const [index, event] of page.data.entries()) {
        yield { ...event, cursor: index === last ? next : event.id };
      }
      if (next !== after) await onCursor?.(next);
      after = next;
      quiet = page.data.length > 0 || page.hasMore ? 0 : quiet + 1;
      if (!page.hasMore) await pause(pollDelay(quiet, options), signal);
    }
  }

  /** Sends the request again until it is answered. Throws what cannot pass. */
  private async untilAnswered(
    query: Query<'listEvents'>,
    signal?: AbortSignal,
  ): Promise<Page<WebhookEvent>> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await this.list(query, { signal });
      } catch (error) {
        signal?.throwIfAborted();
        await pause(delayAfter(failures, FIRST_PAUSE_MS, passing(error)), signal);
      }
    }
  }

  /**
   * Events as they happen, each once and in order. A connection that ends is made anew and goes on behind the last event;
   * only what cannot pass by itself is thrown, such as a revoked key. Leave by `break`, or by the signal.
   */
  async *stream(options: StreamOptions = {}): AsyncGenerator<WebhookEvent, void, undefined> {
    const { types, signal } = options;
    // Known from the beginning, so that nothing is lost when the connection ends before the first event.
    let last = options.lastEventId ?? (await this.newestPlace(types, signal));
    let pauseMs = FIRST_PAUSE_MS;
    for (let failures = 0; ; failures += 1) {
      let reason: ApiError | ConnectionError | undefined;
      try {
        for await (const { id, retry, data } of this.connection(options, last)) {
          failures = 0;
          pauseMs = retry ?? pauseMs;
          last = id ?? last;
          if (data !== '') yield JSON.parse(data) as WebhookEvent;
        }
      } catch (error) {
        signal?.throwIfAborted();
        reason = passing(error);
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
   * Returns the cursor behind what has happened. The newest event of the list by time would not do: events that are
   * committed later can come before it.
   */
  private async newestPlace(
    types: readonly string[] | undefined,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const query = { after: 'now', type: types && [...types], limit: 1 };
    const { pagination } = await this.list(query, { signal });
    return pagination.nextCursor ?? '';
  }
}

/** Longer after each failure, and as long as the service says. */
function delayAfter(failures: number, pauseMs: number, reason?: Error): number {
  const longest = Math.min(pauseMs * 2 ** failures, LONGEST_PAUSE_MS);
  const told = reason instanceof ApiError ? (reason.retryAfter ?? 0) * 1000 : 0;
  return Math.max(longest * (0.5 + Math.random() / 2), told);
}

/** The error, when it may pass by itself; throws it otherwise. */
function passing(error: unknown): ApiError | ConnectionError {
  if (error instanceof ConnectionError) return error;
  if (error instanceof ApiError && (error.status === 429 || error.status >= 500)) return error;
  throw error;
}

/** Returns the pause before the next poll, in ms: twice as long after each empty page, up to `maxPollMs`. */
function pollDelay(
  emptyPages: number,
  { pollMs = 1_000, maxPollMs = 10_000 }: FollowOptions,
): number {
  return Math.min(pollMs * 2 ** Math.max(emptyPages - 1, 0), maxPollMs);
}
