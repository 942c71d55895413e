import { setTimeout as wait } from 'node:timers/promises';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Response } from 'express';
import { Turns } from '../../../platform/basics/concurrency/turns.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { Drain } from '../../../platform/http/server/drain.js';
import { Log } from '../../../platform/operation/log.js';
import type { Access } from '../../auth/access/access.js';
import { AccessFactory } from '../../auth/access/access-factory.js';
import { Authenticators } from '../../auth/guards/authenticators.js';
import type { Principal } from '../../auth/principal.js';
import type { Scope } from '../../auth/scopes.js';
import { EventMessages } from './event-messages.js';
import { EventOrder } from './event-order.js';
import { EventStream, type StreamStart, type StreamSubscription } from './event-stream.js';
import { StreamPresence } from './stream-presence.js';
import { UnreadBudget } from './unread-budget.js';
import { OrderedEventsRepository, type AccountPlace } from './ordered-events.repository.js';

/** Maximum open streams in one process: of an account, of one of its keys, and of a signed-in person. */
const MAX_OF = { account: 200, key: 20, person: 3 } as const;
/** Maximum open streams in one process. */
const MAX_STREAMS = 5_000;
/** How many credentials are checked at the same time. */
const CHECKS_AT_ONCE = 100;

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

interface StreamRequest extends StreamSubscription {
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
  /** Open streams by account and by person or key. */
  private readonly counts = new Map<string, number>();
  private feeding: Promise<void> | undefined;
  private waiting = new AbortController();
  private upkeep: NodeJS.Timeout | undefined;
  private authenticating = false;
  private ending = false;

  constructor(
    private readonly events: OrderedEventsRepository,
    private readonly order: EventOrder,
    private readonly authenticators: Authenticators,
    private readonly accesses: AccessFactory,
    drain: Drain,
    private readonly log: Log,
    private readonly times: StreamTimes,
    private readonly presence: StreamPresence,
  ) {
    drain.onClosing(() => {
      this.endAll();
    });
  }

  /**
   * Responds with a stream that stays open until the client leaves. Throws, before anything is written, `rate_limited` if
   * the account, person or key has too many streams, `unavailable` if the process has, and `bad_request` if the client cannot resume there.
   */
  async open({ lastEventId, ...subscription }: StreamRequest, response: Response): Promise<void> {
    const { principal, selection } = subscription;
    const release = this.reserve(principal);
    response.once('close', release);
    try {
      const start = await this.startOf(principal.accountId, lastEventId, selection);
      if (!response.destroyed) this.add(new EventStream(subscription, start, response), response);
    } catch (error) {
      release();
      throw error;
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.endAll();
    await this.feeding;
  }

  /** Counts a stream before anything is awaited. Returns an idempotent function that releases it. */
  private reserve(principal: Principal): () => void {
    const holders = holdersOf(principal);
    for (const [kind, id] of holders) {
      const limit = MAX_OF[kind];
      if ((this.counts.get(id) ?? 0) >= limit) throw tooManyStreams(kind, limit);
    }
    if (this.streams.size >= MAX_STREAMS) throw processIsFull();
    const add = (change: 1 | -1) => {
      for (const [, id] of holders) {
        const count = (this.counts.get(id) ?? 0) + change;
        if (count > 0) this.counts.set(id, count);
        else this.counts.delete(id);
      }
    };
    add(1);
    let released = false;
    return () => {
      if (!released) add(-1);
      released = true;
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
      return { position: await this.order.resolveUsable(request), seen: new Set() };
    }
    const position = await this.events.settledPosition();
    return {
      position: { position, id: AFTER_EVERY_ID, knownHorizon: '0' },
      seen: await this.events.idsAfter(accountId, position),
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
    const leave = this.followPresence(stream);
    response.once('close', () => {
      leave();
      this.streams.delete(stream);
      if (this.streams.size === 0) clearInterval(this.upkeep);
    });
    if (this.streams.size === 1) this.beginUpkeep();
    this.readNow();
    this.feeding ??= this.feed();
  }

  /** Returns a function that ends it. */
  private followPresence(stream: EventStream): () => void {
    const { principal, presenceOf: documentIds } = stream.subscription;
    if (documentIds.length === 0) return () => undefined;
    const send = (block: Buffer) => stream.sendBlock(block);
    const currentAccess = () => this.accessOf(stream);
    return this.presence.follow({ principal, documentIds, send, currentAccess });
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
    const unread = new UnreadBudget(this.streams);
    const groups = this.byPlace(unread);
    const turns = new Turns();
    let mayHaveMore = false;
    for await (const { place, batch } of this.events.readAfter([...groups.keys()])) {
      const messages = new EventMessages();
      const streams = groups.get(place) ?? [];
      const accesses = batch.epoch === '0' ? undefined : await this.accessesOf(streams);
      for (const stream of streams) {
        await turns.next();
        const access = accesses?.get(stream);
        const hasEnded = accesses !== undefined && access === undefined;
        if (hasEnded || !stream.ready || unread.isFull(place.accountId)) continue;
        stream.send(batch, messages, access);
        unread.add(stream);
      }
      mayHaveMore ||= batch.isFull && !unread.isFull(place.accountId);
    }
    return mayHaveMore;
  }

  /**
   * Returns the access of each stream's caller now, without streams that {@link accessOf} ends. Called after a batch was
   * read, so no event is sent that was written after its reader had lost the right, the role or the collections of the key.
   */
  private async accessesOf(
    streams: readonly EventStream[],
  ): Promise<ReadonlyMap<EventStream, Access>> {
    const accesses = new Map<EventStream, Access>();
    for (let start = 0; start < streams.length; start += CHECKS_AT_ONCE) {
      const checks = streams.slice(start, start + CHECKS_AT_ONCE).map(async (stream) => {
        const access = await this.accessOf(stream);
        if (access) accesses.set(stream, access);
      });
      await Promise.all(checks);
    }
    return accesses;
  }

  /** Returns the access of the caller now. Ends the stream, and returns undefined, if its key was revoked or lost a scope. */
  private async accessOf(stream: EventStream): Promise<Access | undefined> {
    const scopes = scopesFor(stream.subscription);
    const principal = await this.authenticators.authenticateAgain(stream.request, scopes);
    if (principal) return this.accesses.accessOf(principal);
    stream.end();
    return undefined;
  }

  /** Closes the streams of slow readers in accounts whose streams have too much unread. */
  private closeUnread(): void {
    for (const stream of new UnreadBudget(this.streams).toClose(this.streams)) {
      const { request, unreadBytes } = stream;
      const { requestId } = request;
      this.log.info({ requestId, unreadBytes }, 'response not read: too much is unread');
      stream.end();
    }
  }

  /** Groups the streams that are ready for more by place. */
  private byPlace(unread: UnreadBudget): Map<AccountPlace, EventStream[]> {
    const places = new Map<string, AccountPlace>();
    const groups = new Map<AccountPlace, EventStream[]>();
    for (const stream of this.streams) {
      const { at: position, principal } = stream;
      if (!stream.ready || unread.isFull(principal.accountId)) continue;
      const key = [principal.accountId, position.position, position.id].join(' ');
      const place = places.get(key) ?? { accountId: principal.accountId, position };
      places.set(key, place);
      const group = groups.get(place);
      if (group) group.push(stream);
      else groups.set(place, [stream]);
    }
    return groups;
  }

  private beginUpkeep(): void {
    this.upkeep = setInterval(() => {
      for (const stream of this.streams) stream.beat(this.times.heartbeatMs);
      this.closeUnread();
      void this.endUnauthorized();
    }, this.times.upkeepMs).unref();
  }

  /** Ends streams whose key was revoked, has expired or lost the scope. */
  private async endUnauthorized(): Promise<void> {
    if (this.authenticating) return;
    this.authenticating = true;
    try {
      await this.accessesOf([...this.streams]);
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

/** Returns the scopes that a stream needs: `documents:read` only to tell who is in documents. */
export function scopesFor({
  presenceOf,
}: Pick<StreamSubscription, 'presenceOf'>): readonly Scope[] {
  return presenceOf.length > 0 ? ['events:read', 'documents:read'] : ['events:read'];
}

/** Returns what the streams of a principal are counted by: kinds and UUIDs. */
function holdersOf(principal: Principal): [kind: keyof typeof MAX_OF, id: string][] {
  const { accountId } = principal;
  return principal.kind === 'key'
    ? [['key', principal.keyId], ['account', accountId]] // prettier-ignore
    : [['person', principal.user.id], ['account', accountId]]; // prettier-ignore
}

const HOLDERS = { account: 'This account has', key: 'This key has', person: 'You have' } as const;

/** Returns the error for more open streams than allowed. */
export function tooManyStreams(
  kind: keyof typeof MAX_OF = 'account',
  limit: number = MAX_OF[kind],
): AppError {
  return new AppError(
    'rate_limited',
    `${HOLDERS[kind]} ${String(limit)} open streams, which is the limit. Close one that you do not need, or share one.`,
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
