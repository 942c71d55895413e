import type { Connection, HubMessage } from '../../stream/stream-hub.js';
import { rowOf, type Event, type EventRow } from './event-subject.js';

/** Maximum number of events on the page. The oldest are dropped. */
export const MAX_ROWS = 500;
/** Interval at which new events are shown, in ms. */
const SHOW_EVERY = 200;
/** Time before the list is loaded again after a failure, in ms. */
const TRY_AGAIN_AFTER = 3_000;

export interface FeedSnapshot {
  /** Newest first; undefined until the first ones are loaded. */
  rows: readonly EventRow[] | undefined;
  connection: Connection;
  error: unknown;
  /** True if there are older events to load. */
  hasOlder: boolean;
}

interface EventPage {
  events: readonly Event[];
  /** Cursor of the next page; null after the last one. */
  nextCursor: string | null;
}

/** Subscribes to the stream. Returns a function that ends it. */
export type Subscribe = (onMessage: (message: HubMessage) => void) => () => void;

/** Loads a page of the list, newest first. */
export type ListEvents = (cursor: string | undefined) => Promise<EventPage>;

/**
 * The newest events of an account. A stream brings new ones while it is open. Whenever it starts or reconnects, the
 * list fills the gap.
 */
export class EventFeed {
  private readonly rows = new Map<string, EventRow>();
  private readonly listeners = new Set<() => void>();
  private snapshot: FeedSnapshot = {
    rows: undefined,
    connection: 'closed',
    error: null,
    hasOlder: false,
  };
  private unsubscribe: (() => void) | undefined;
  private olderCursor: string | null = null;
  /** True if no event is missing between the newest one and the stream. Then the newest one is stored. */
  private isWhole = false;
  private wholeUpTo: string | undefined;
  private showing: ReturnType<typeof setTimeout> | undefined;
  /** Number of times that the list was loaded to fill a gap. */
  private fills = 0;
  private refilling: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly subscribeToStream: Subscribe,
    private readonly list: ListEvents,
  ) {}

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  };

  readonly read = (): FeedSnapshot => this.snapshot;

  readonly open = (): void => {
    if (this.unsubscribe) return;
    this.change({ connection: 'connecting' });
    this.unsubscribe = this.subscribeToStream((message) => {
      if ('event' in message) this.add([JSON.parse(message.event) as Event]);
      else if ('connection' in message) this.connected(message.connection);
    });
  };

  readonly close = (): void => {
    clearTimeout(this.refilling);
    this.unsubscribe?.();
    this.unsubscribe = undefined;
    this.connected('closed');
  };

  /** Loads a page of older events. */
  readonly loadOlder = async (): Promise<void> => {
    if (this.olderCursor === null) return;
    await this.listed(this.olderCursor, true);
  };

  /** Fills the gap before a stream that has started, and shows why the service refused one. */
  private connected(connection: Connection): void {
    this.isWhole = false;
    this.change({ connection });
    if (connection === 'live' || connection === 'broken') void this.fillIn();
  }

  /**
   * Loads the list, newest first, back to the events from before the stream started. Tries again later after a failure.
   */
  readonly fillIn = async (): Promise<void> => {
    clearTimeout(this.refilling);
    const fill = (this.fills += 1);
    const known = this.wholeUpTo;
    let cursor: string | undefined;
    for (let count = 0; count < MAX_ROWS;) {
      const page = await this.listed(cursor, known === undefined);
      if (!page) {
        if (fill === this.fills && this.snapshot.connection === 'live') {
          this.refilling = setTimeout(() => void this.fillIn(), TRY_AGAIN_AFTER);
        }
        return;
      }
      const oldest = page.events.at(-1);
      if (known === undefined || oldest === undefined || oldest.id <= known) break;
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
      count += page.events.length;
    }
    if (fill !== this.fills) return;
    this.isWhole = this.snapshot.connection === 'live';
    this.wholeUpTo = this.snapshot.rows?.[0]?.id;
  };

  private async listed(
    cursor: string | undefined,
    isOldest: boolean,
  ): Promise<EventPage | undefined> {
    try {
      const page = await this.list(cursor);
      if (isOldest) this.olderCursor = page.nextCursor;
      this.add(page.events);
      this.show();
      this.change({ error: null });
      return page;
    } catch (error) {
      this.change({ error });
      return undefined;
    }
  }

  private add(events: readonly Event[]): void {
    for (const event of events) {
      // Only the stream contains titles.
      const known = this.rows.get(event.id);
      if (!known || known.title === undefined) this.rows.set(event.id, rowOf(event));
    }
    this.showing ??= setTimeout(() => {
      this.show();
    }, SHOW_EVERY);
  }

  private show(): void {
    clearTimeout(this.showing);
    this.showing = undefined;
    // IDs start with the time.
    const rows = [...this.rows.values()].sort((one, other) => (one.id < other.id ? 1 : -1));
    for (const { id } of rows.splice(MAX_ROWS)) this.rows.delete(id);
    if (this.isWhole) this.wholeUpTo = rows[0]?.id;
    this.change({ rows, hasOlder: this.olderCursor !== null && rows.length < MAX_ROWS });
  }

  private change(changes: Partial<FeedSnapshot>): void {
    this.snapshot = { ...this.snapshot, ...changes };
    for (const listener of this.listeners) listener();
  }
}
