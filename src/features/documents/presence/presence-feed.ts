import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { encodeId, newUuid } from '../../../platform/basics/identifiers/identifiers.js';
import { Turns } from '../../../platform/basics/concurrency/turns.js';
import { Log } from '../../../platform/operation/log.js';
import { unnumberedMessage } from '../../events/stream/event-messages.js';
import {
  StreamPresence,
  type PresenceFollower,
  type PresenceSource,
} from '../../events/stream/stream-presence.js';
import { PermittedPresence } from './permitted-presence.js';
import { asPresent, principalIdOf, type PresencePrincipal } from './presence-principal.js';
import { presentPresence } from './presence.presenter.js';
import {
  PresenceRepository,
  type AccountDocument,
  type FoundPresence,
  type HeldDocument,
} from './presence.repository.js';

/** Maximum documents that one statement renews or reads. */
const DOCUMENTS_AT_ONCE = 1_000;
const PRESENCE_EVENT = 'presence';

/** Intervals of presence on streams, in milliseconds. */
@Injectable()
export class PresenceTimes {
  /** How often the documents of streams are read. A document sends at most one list in this time. */
  readMs = 1_000;
  /** How often entries of streams are renewed. They count for 50 s. */
  renewMs = 20_000;
}

/** A stream, with the last list that it has sent for each document. */
interface Follower extends PresenceFollower {
  principal: PresencePrincipal;
  sent: Map<string, string>;
}

/**
 * Counts the users of open streams as viewing, and sends them who else is in their documents. One loop serves all streams
 * of this process while any follows a document. It reads instead of listening: a list is sent once a second at most
 * anyway, and entries of killed processes end without a notification.
 */
@Injectable()
export class PresenceFeed implements PresenceSource, BeforeApplicationShutdown {
  /** Names this process in its entries. */
  private readonly source = newUuid();
  private readonly followers = new Set<Follower>();
  private arriving: Follower[] = [];
  private leaving: Follower[] = [];
  private isDue = false;
  private isRenewalDue = false;
  private working: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private renewedAt = 0;
  private hasFailed = false;

  constructor(
    private readonly presence: PresenceRepository,
    private readonly permitted: PermittedPresence,
    private readonly log: Log,
    private readonly times: PresenceTimes,
    streams: StreamPresence,
  ) {
    streams.register(this);
  }

  follow(given: PresenceFollower): () => void {
    const follower: Follower = {
      ...given,
      principal: asPresent(given.principal),
      sent: new Map<string, string>(),
    };
    this.followers.add(follower);
    this.arriving.push(follower);
    this.begin();
    this.wake();
    return () => {
      if (!this.followers.delete(follower)) return;
      this.leaving.push(follower);
      if (this.followers.size === 0) this.end();
      this.wake();
    };
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.end();
    while (this.working) await this.working;
  }

  private begin(): void {
    if (this.timer) return;
    this.renewedAt = performance.now();
    this.timer = setInterval(() => {
      this.isDue = true;
      this.wake();
    }, this.times.readMs).unref();
  }

  private end(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private wake(): void {
    this.working ??= this.work().finally(() => {
      this.working = undefined;
    });
  }

  /** Runs one statement at a time, so that an entry that is renewed or comes back is not removed afterwards. */
  private async work(): Promise<void> {
    while (this.isDue || this.arriving.length + this.leaving.length > 0) {
      const [arrived, left, isDue] = [this.arriving, this.leaving, this.isDue];
      [this.arriving, this.leaving, this.isDue] = [[], [], false];
      await this.attempt(() => this.leave(left));
      if (performance.now() - this.renewedAt >= this.times.renewMs) this.isRenewalDue = true;
      const isRenewal = this.isRenewalDue;
      const held = isRenewal ? [...this.followers] : arrived;
      // Set again if the statement fails.
      this.isRenewalDue = true;
      await this.attempt(async () => {
        await this.hold(held);
        this.isRenewalDue = false;
        if (isRenewal) this.renewedAt = performance.now();
      });
      await this.attempt(() => this.show(isDue ? [...this.followers] : arrived));
    }
  }

  private async hold(followers: readonly Follower[]): Promise<void> {
    const entries = new Map(
      followers
        .filter((follower) => this.followers.has(follower))
        .flatMap(documentsOf)
        .map((entry) => [holdKeyOf(entry), entry]),
    );
    for (const some of chunksOf([...entries.values()])) {
      await this.presence.holdForStreams(this.source, some);
    }
  }

  /** Removes the entries of closed streams, except for documents that another stream of the same principal follows. */
  private async leave(followers: readonly Follower[]): Promise<void> {
    if (followers.length === 0) return;
    const open = new Set([...this.followers].flatMap(documentsOf).map(holdKeyOf));
    const left = followers.flatMap(documentsOf).filter((entry) => !open.has(holdKeyOf(entry)));
    for (const some of chunksOf(left)) await this.presence.leaveStreams(this.source, some);
  }

  /** Sends the lists that have changed since they were sent. Followers who cannot see a document get an empty list. */
  private async show(followers: readonly Follower[]): Promise<void> {
    const documents = new Map<string, AccountDocument>();
    for (const entry of followers.flatMap(documentsOf)) documents.set(keyOf(entry), entry);
    const lists = new Map<string, ShownList>();
    for (const some of chunksOf([...documents.values()])) {
      const found = await this.permitted.list(some);
      for (const [index, { accountId, documentId }] of some.entries()) {
        lists.set(keyOf({ accountId, documentId }), shownList(documentId, found[index]));
      }
    }
    const turns = new Turns();
    for (const follower of followers) {
      await turns.next();
      await this.showTo(follower, lists);
    }
  }

  private async showTo(follower: Follower, lists: ReadonlyMap<string, ShownList>): Promise<void> {
    const { sent } = follower;
    const documents = documentsOf(follower).flatMap((entry) => {
      const list = lists.get(keyOf(entry));
      return list ? { documentId: entry.documentId, list } : [];
    });
    const needsAccess = documents.some(({ list: { place } }) => place !== undefined);
    const access = needsAccess ? await follower.currentAccess() : undefined;
    if (needsAccess && !access) return;
    for (const { documentId, list } of documents) {
      const isHidden = list.place !== undefined && access?.rightIn(list.place) == null;
      const { text, block } = isHidden ? shownList(documentId, undefined) : list;
      if (sent.get(documentId) === text) continue;
      if (follower.send(block)) sent.set(documentId, text);
    }
  }

  /** Logs the first of several failures. Never rejects: the next turn tries again. */
  private async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed) {
        this.log.warn({ err: error }, 'Presence waits until the database is available again.');
      }
      this.hasFailed = true;
    }
  }
}

/** The list of a document as it is sent. */
interface ShownList {
  text: string;
  block: Buffer;
  /** The UUID of the collection that decides who sees it. Undefined if everybody does. */
  place: string | undefined;
}

function shownList(documentId: string, found: FoundPresence | undefined): ShownList {
  const id = encodeId('document', documentId);
  const text = JSON.stringify(presentPresence(id, found ?? { entries: [], total: 0 }));
  const place = found && found.epoch !== '0' ? found.collectionId : undefined;
  return { text, block: unnumberedMessage(PRESENCE_EVENT, text), place };
}

function documentsOf({ principal, documentIds }: Follower): HeldDocument[] {
  const { accountId } = principal;
  return documentIds.map((documentId) => ({ accountId, documentId, principal }));
}

function keyOf({ accountId, documentId }: AccountDocument): string {
  return `${accountId} ${documentId}`;
}

/** Streams of the same principal share an entry. */
function holdKeyOf(entry: HeldDocument): string {
  return `${keyOf(entry)} ${principalIdOf(entry.principal)}`;
}

function* chunksOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += DOCUMENTS_AT_ONCE) {
    yield items.slice(start, start + DOCUMENTS_AT_ONCE);
  }
}
