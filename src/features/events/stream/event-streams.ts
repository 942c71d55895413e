import { setTimeout as wait } from 'node:timers/promises';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Response } from 'express';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { Drain } from '../../../platform/http/server/drain.js';
import { Log } from '../../../platform/operation/log.js';
import { Authenticators } from '../../access/auth/guards/authenticators.js';
import type { Principal } from '../../access/auth/principal.js';
import { EventOrder } from './event-order.js';
import { EventStream, type StreamStart } from './event-stream.js';
import { OrderedEventsRepository, type AccountPlace } from './ordered-events.repository.js';

/** Maximum open streams per account in one process. */
const MAX_STREAMS_PER_ACCOUNT = 20;
/** Maximum open streams in one process. */
const MAX_STREAMS = 1_000;

const RETRY_AFTER_SECONDS = 10;

const AFTER_EVERY_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Intervals of event streams, in milliseconds. */
@Injectable()
export class StreamTimes {
  /** Poll interval for new events, while any stream is open. */
  pollMs = 200;
  /** Interval between checks of streams: their keys and heartbeats. */
  upkeepMs = 1_000;
  /** Idle time before a heartbeat. Proxies commonly close a connection after 30 seconds or more. */
  heartbeatMs = 15_000;
}

interface StreamRequest {
  principal: Principal;
  /** Names and patterns of events. */
  selection: readonly string[];
  /** The last event the client received (`evt_…`), or a poller's cursor. Empty to start now. */
  lastEventId: string;
}

/**
 * The open streams of this process. One loop feeds all of them, with one query per place. Streams that are up to date
 * share a place.
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
    private readonly events: OrderedEventsRepository,
    private readonly order: EventOrder,
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
   * Responds with a stream that stays open until the client leaves. Throws, before anything is written, `rate_limited` if
   * the account has too many streams, `unavailable` if the process has, and `bad_request` if the client cannot resume there.
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

  /** Counts a stream for the account before anything is awaited. Returns an idempotent function that releases it. */
  private reserve(accountId: string): () => void {
    const open = this.perAccount.get(accountId) ?? 0;
    if (open >= MAX_STREAMS_PER_ACCOUNT) throw tooManyStreams();
    if (this.streams.size >= MAX_STREAMS) throw processIsFull();
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

  /** Returns the place to resume, or a place before all events that commit from now on. */
  private async startOf(
    accountId: string,
    lastEventId: string,
    types: readonly string[],
  ): Promise<StreamStart> {
    if (lastEventId !== '') {
      const request = { accountId, after: lastEventId, filters: { types }, field: 'Last-Event-ID' };
      return { position: await this.order.usablePlaceOf(request), seen: new Set() };
    }
    const position = await this.events.settledPosition();
    return {
      position: { position, id: AFTER_EVERY_ID, knownHorizon: '0' },
      seen: await this.events.idsBehind(accountId, position),
    };
  }

  private add(stream: EventStream, response: Response): void {
    stream.open(() => {
      this.readNow();
    });
    // The client reconnects and reaches another process.
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
    this.readNow();
    this.feeding ??= this.feed();
  }

  /** Ends the wait between two reads. */
  private readNow(): void {
    this.waiting.abort();
  }

  private async feed(): Promise<void> {
    let failed = false;
    while (this.streams.size > 0) {
      this.waiting = new AbortController();
      const { signal } = this.waiting;
      try {
        if (await this.sendNewEvents()) continue;
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

  /** Returns true if there may already be more events. */
  private async sendNewEvents(): Promise<boolean> {
    const groups = this.byPlace();
    let mayHaveMore = false;
    for await (const { place, batch } of this.events.readBehind([...groups.keys()])) {
      for (const stream of groups.get(place) ?? []) stream.send(batch);
      mayHaveMore ||= batch.isFull;
    }
    return mayHaveMore;
  }

  /** Groups the streams that are ready for more by place. */
  private byPlace(): Map<AccountPlace, EventStream[]> {
    const places = new Map<string, AccountPlace>();
    const groups = new Map<AccountPlace, EventStream[]>();
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
      void this.endUnauthorized();
    }, this.times.upkeepMs).unref();
  }

  /** Ends streams whose key was revoked, has expired or lost the scope. */
  private async endUnauthorized(): Promise<void> {
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
      // The database is unavailable. The feeding loop has logged that.
    } finally {
      this.authenticating = false;
    }
  }

  private endAll(): void {
    this.ending = true;
    clearInterval(this.upkeep);
    for (const stream of this.streams) stream.end();
    this.readNow();
  }
}

/** Returns the error for more than {@link MAX_STREAMS_PER_ACCOUNT} streams. */
export function tooManyStreams(): AppError {
  const limit = MAX_STREAMS_PER_ACCOUNT;
  return new AppError(
    'rate_limited',
    `This account has ${String(limit)} open streams, which is the limit. Close one that you do not need, or share one.`,
    { limit, retryAfter: RETRY_AFTER_SECONDS },
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

function processIsFull(): AppError {
  return new AppError(
    'unavailable',
    'This process has reached its limit of open streams. Try again shortly.',
    undefined,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}
