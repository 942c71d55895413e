import { EVENT_NAMES } from '../../api/event-types.js';
import { rowOf, type Event, type EventRow } from './event-subject.js';

/** Most events that a page holds; the oldest go first. */
export const MAX_ROWS = 500;
/** Events that came are shown together so often, in ms. */
const SHOW_EVERY = 200;
/** After a stream that the service refused, in ms. A break is mended by the browser itself. */
const TRY_AGAIN_AFTER = 3_000;

export interface FeedSnapshot {
  /** Newest first; undefined until the first are here. */
  rows: readonly EventRow[] | undefined;
  connection: 'closed' | 'connecting' | 'live' | 'broken';
  error: unknown;
  /** There are older ones that could be loaded. */
  hasOlder: boolean;
}

interface EventPage {
  events: readonly Event[];
  /** Of the page after; null for the last. */
  nextCursor: string | null;
}

/** Reads a page of the list, newest first. */
export type ListEvents = (cursor: string | undefined) => Promise<EventPage>;

/**
 * The newest events of an account. While it is open a stream brings them as they happen; whenever the stream begins, also
 * after a break, the list fills in what the stream did not bring.
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
  private source: EventSource | undefined;
  private olderCursor: string | null = null;
  /** Whether nothing is missing between the newest and the stream; then the newest is remembered. */
  private isWhole = false;
  private wholeUpTo: string | undefined;
  private showing: ReturnType<typeof setTimeout> | undefined;
  private reopening: ReturnType<typeof setTimeout> | undefined;
  private refilling: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly url: string,
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
    if (this.source) return;
    clearTimeout(this.reopening);
    this.isWhole = false;
    this.change({ connection: 'connecting' });
    const source = new EventSource(this.url);
    this.source = source;
    source.onopen = () => {
      this.change({ connection: 'live' });
      void this.fillIn();
    };
    source.onerror = () => {
      this.isWhole = false;
      if (source.readyState === EventSource.CLOSED) this.refused();
      else this.change({ connection: 'connecting' });
    };
    const take = ({ data }: MessageEvent<string>) => {
      this.add([JSON.parse(data) as Event]);
    };
    for (const type of EVENT_NAMES) source.addEventListener(type, take);
  };

  readonly close = (): void => {
    clearTimeout(this.reopening);
    clearTimeout(this.refilling);
    this.isWhole = false;
    this.source?.close();
    this.source = undefined;
    this.change({ connection: 'closed' });
  };

  /** One page of what is older than all that is here. */
  readonly loadOlder = async (): Promise<void> => {
    if (this.olderCursor === null) return;
    await this.listed(this.olderCursor, true);
  };

  /** The service has ended the stream and said no; the list tells why, as a failure that can be shown. */
  private refused(): void {
    this.source = undefined;
    this.change({ connection: 'broken' });
    void this.fillIn();
    this.reopening = setTimeout(this.open, TRY_AGAIN_AFTER);
  }

  /** Reads the list, newest first, back to what was here before the stream began; again later when it cannot. */
  readonly fillIn = async (): Promise<void> => {
    clearTimeout(this.refilling);
    const known = this.wholeUpTo;
    let cursor: string | undefined;
    for (let count = 0; count < MAX_ROWS;) {
      const page = await this.listed(cursor, known === undefined);
      if (!page) {
        if (this.source) this.refilling = setTimeout(() => void this.fillIn(), TRY_AGAIN_AFTER);
        return;
      }
      const oldest = page.events.at(-1);
      if (known === undefined || oldest === undefined || oldest.id <= known) break;
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
      count += page.events.length;
    }
    this.isWhole = this.source !== undefined;
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
      // The stream tells more than the list, which knows no titles.
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
    // Ids begin with the time.
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
