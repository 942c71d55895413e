import type { Call } from '../call.js';
import { ApiError, ConnectionError } from '../errors.js';
import type { List } from '../list.js';
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
   * Events as they happen, each once and in order. A connection that ends is made anew and goes on behind the last event;
   * only what cannot pass by itself is thrown, such as a revoked key. Leave by `break`, or by the signal.
   */
  async *stream(options: StreamOptions = {}): AsyncGenerator<WebhookEvent, void, undefined> {
    const { types, signal } = options;
    // Known from the beginning, so that nothing is lost when the connection ends before the first event.
    let last = options.lastEventId ?? (await this.outermost('desc', signal))?.id;
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
      if (last !== undefined) continue;
      // The account had no event when the stream began, so its first one is news.
      const first = await this.outermost('asc', signal);
      last = first?.id;
      if (first && isSelected(types, first.type)) yield await this.get(first.id, { signal });
    }
  }

  private async *connection(
    { types, signal, silenceMs = 45_000 }: StreamOptions,
    last: string | undefined,
  ) {
    const response = await this.api.stream('/v1/events/stream', {
      query: types && { types: types.join(',') },
      headers: last === undefined ? {} : { 'Last-Event-ID': last },
      signal,
      maxRetries: 0,
    });
    yield* messagesOf(response, silenceMs);
  }

  private async outermost(
    order: 'asc' | 'desc',
    signal: AbortSignal | undefined,
  ): Promise<WebhookEvent | undefined> {
    const { data } = await this.list({ limit: 1, order }, { signal });
    return data[0];
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

function isSelected(types: readonly string[] | undefined, type: string): boolean {
  return (
    types?.some(
      (wanted) => wanted === type || (wanted.endsWith('*') && type.startsWith(wanted.slice(0, -1))),
    ) ?? true
  );
}
