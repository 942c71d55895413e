import { setTimeout as wait } from 'node:timers/promises';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Response } from 'express';
import { Authenticators } from '../../access/auth/authenticators.js';
import type { Principal } from '../../access/auth/principal.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { Drain } from '../../../platform/http/drain.js';
import { Log } from '../../../platform/operation/log/log.js';
import { EventStream } from './event-stream.js';
import { StreamReader, type Place, type StreamStart } from './ordered-events.repository.js';

/** Most open streams of an account in one process. */
const MAX_STREAMS_PER_ACCOUNT = 20;
/** Most open streams of one process. */
const MAX_STREAMS = 1_000;

const RETRY_AFTER_SECONDS = 10;

/** The rhythm of event streams, in milliseconds. */
@Injectable()
export class StreamTimes {
  /** Between two looks for new events, while any stream is open. */
  pollMs = 200;
  /** Between two looks at the streams themselves: their keys and their silence. */
  upkeepMs = 1_000;
  /** Silence after which a comment is sent; proxies commonly close a connection after 30 seconds or more. */
  heartbeatMs = 15_000;
}

interface StreamRequest {
  principal: Principal;
  /** Names and patterns of events. */
  selection: readonly string[];
  /** `evt_…`, the last event the client has had, or a cursor of a poller; empty to begin now. */
  lastEventId: string;
}

/**
 * The open streams of this process. All of them are fed by one loop that asks the database once for every place at which
 * a stream stands; streams that are up to date stand at the same place.
 */
@Injectable()
export class EventStreams implements BeforeApplicationShutdown {
  private readonly streams = new Set<EventStream>();
  private readonly perAccount = new Map<string, number>();
  private feeding: Promise<void> | undefined;
  private waiting = new AbortController();
  private upkeep: NodeJS.Timeout | undefined;
  private authenticating = false;
  private ending = false;

  constructor(
    private readonly reader: StreamReader,
    private readonly authenticators: Authenticators,
    drain: Drain,
    private readonly log: Log,
    private readonly times: StreamTimes,
  ) {
    drain.onClosing(() => {
      this.endAll();
    });
  }

  /**
   * Answers with a stream that goes on until the client leaves. Throws, before anything is written, `rate_limited` when
   * the account has too many, `unavailable` when the process has, and `bad_request` when there is nothing to resume from.
   */
  async open(
    { principal, selection, lastEventId }: StreamRequest,
    response: Response,
  ): Promise<void> {
    const release = this.reserve(principal.accountId);
    response.once('close', release);
    try {
      const start = await this.startOf(principal.accountId, lastEventId, selection);
      if (!response.destroyed) {
        this.add(new EventStream(principal, selection, start, response), response);
      }
    } catch (error) {
      release();
      throw error;
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.endAll();
    await this.feeding;
  }

  /** Takes a place for the account before anything is waited for; what is returned gives it back, once. */
  private reserve(accountId: string): () => void {
    const open = this.perAccount.get(accountId) ?? 0;
    if (open >= MAX_STREAMS_PER_ACCOUNT) throw tooManyStreams();
    if (this.streams.size >= MAX_STREAMS) throw streamsAreFull();
    this.perAccount.set(accountId, open + 1);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      const left = (this.perAccount.get(accountId) ?? 1) - 1;
      if (left > 0) this.perAccount.set(accountId, left);
      else this.perAccount.delete(accountId);
    };
  }

  private async startOf(
    accountId: string,
    lastEventId: string,
    types: readonly string[],
  ): Promise<StreamStart> {
    if (lastEventId === '') return this.reader.now(accountId);
    const filters = { types };
    return this.reader.after({ accountId, after: lastEventId, filters, field: 'Last-Event-ID' });
  }

  private add(stream: EventStream, response: Response): void {
    stream.open(() => {
      this.hurry();
    });
    // Whoever comes while the process ends is told to come back, which leads to another one.
    if (this.ending) {
      stream.end();
      return;
    }
    this.streams.add(stream);
    response.once('close', () => {
      this.streams.delete(stream);
      if (this.streams.size === 0) clearInterval(this.upkeep);
    });
    if (this.streams.size === 1) this.beginUpkeep();
    this.hurry();
    this.feeding ??= this.feed();
  }

  /** Reads again at once instead of after the usual time. */
  private hurry(): void {
    this.waiting.abort();
  }

  private async feed(): Promise<void> {
    let failed = false;
    while (this.streams.size > 0) {
      this.waiting = new AbortController();
      const { signal } = this.waiting;
      try {
        if (await this.sendNews()) continue;
        failed = false;
      } catch (error) {
        if (!failed) {
          this.log.warn({ err: error }, 'Event streams wait: their events could not be read.');
        }
        failed = true;
      }
      await wait(this.times.pollMs, undefined, { signal }).catch(() => undefined);
    }
    this.feeding = undefined;
  }

  /** Whether there may be more to send already. */
  private async sendNews(): Promise<boolean> {
    const groups = this.byPlace();
    let more = false;
    for await (const { place, batch } of this.reader.read([...groups.keys()])) {
      for (const stream of groups.get(place) ?? []) stream.send(batch);
      more ||= batch.full;
    }
    return more;
  }

  /** The streams that can take more, by where they stand. */
  private byPlace(): Map<Place, EventStream[]> {
    const places = new Map<string, Place>();
    const groups = new Map<Place, EventStream[]>();
    for (const stream of this.streams) {
      if (!stream.ready) continue;
      const { at: position, principal } = stream;
      const key = [principal.accountId, position.position, position.id].join(' ');
      const place = places.get(key) ?? { accountId: principal.accountId, position };
      places.set(key, place);
      groups.set(place, [...(groups.get(place) ?? []), stream]);
    }
    return groups;
  }

  private beginUpkeep(): void {
    this.upkeep = setInterval(() => {
      for (const stream of this.streams) stream.beat(this.times.heartbeatMs);
      void this.endThoseRefusedNow();
    }, this.times.upkeepMs).unref();
  }

  /** Ends the streams whose request would be refused by now: their key was revoked, has expired or lost the scope. */
  private async endThoseRefusedNow(): Promise<void> {
    if (this.authenticating) return;
    this.authenticating = true;
    try {
      await Promise.all(
        [...this.streams].map(async (stream) => {
          if (!(await this.authenticators.isStillValid(stream.request, 'events:read')))
            stream.end();
        }),
      );
    } catch {
      // The database is away: the loop that feeds the streams has said so.
    } finally {
      this.authenticating = false;
    }
  }

  private endAll(): void {
    this.ending = true;
    clearInterval(this.upkeep);
    for (const stream of this.streams) stream.end();
    this.hurry();
  }
}

/** The answer to a stream beyond {@link MAX_STREAMS_PER_ACCOUNT}. */
export function tooManyStreams(): AppError {
  const limit = MAX_STREAMS_PER_ACCOUNT;
  return new AppError(
    'rate_limited',
    `This account has ${String(limit)} open streams, the most it may have. Close one that is not needed, or share one.`,
    { limit, retryAfter: RETRY_AFTER_SECONDS },
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

/** The answer to a stream beyond {@link MAX_STREAMS}. */
function streamsAreFull(): AppError {
  return new AppError(
    'unavailable',
    'This process has as many open streams as it can hold. Try again shortly.',
    undefined,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}
