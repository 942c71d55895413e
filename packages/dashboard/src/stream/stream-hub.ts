import { EVENT_NAMES } from '../api/event-types.js';

/** Interval at which a tab repeats its message, in ms, so that the hub notices crashed tabs. */
export const HEARTBEAT_MS = 10_000;
/** The hub drops a tab after this silence, in ms. Its next message adds it again. */
const SILENT_TAB_MS = 30_000;
/** Interval for checking for silent and hidden tabs, in ms. */
const CHECK_MS = 5_000;
/** Time before a refused stream is opened again, in ms. The browser itself reconnects after an interruption. */
const REOPEN_MS = 3_000;
/** How long the hub waits for more tabs before it reopens the stream for other documents, in ms. */
const GATHER_MS = 100;
/** Maximum number of documents whose readers a stream reports. */
const MAX_DOCUMENTS = 20;

/** Subscription of a tab. Also its heartbeat. */
export interface Subscription {
  /** URL of the stream. */
  url: string;
  /** The signed-in user: two users of one browser never share a stream. */
  userId: string;
  isVisible: boolean;
  /** The document shown in the tab. The stream then reports who else has it open. */
  documentId?: string | undefined;
}

/** Message of a tab. `leave` ends its subscription. */
export type TabMessage = Subscription | 'leave';

/** `closed`: no tab is visible. `broken`: the service refused the stream. */
export type Connection = 'closed' | 'connecting' | 'live' | 'broken';

/** Message of the hub: a new state, one event as JSON, or the readers of a document as JSON. */
export type HubMessage = { connection: Connection } | { event: string } | { presence: string };

/** The part of a `MessagePort` that the hub uses. */
export interface TabPort {
  onmessage: ((message: { data: TabMessage }) => void) | null;
  postMessage: (message: HubMessage) => void;
}

interface Tab {
  port: TabPort;
  isVisible: boolean;
  documentId: string | undefined;
  heardAt: number;
}

/**
 * Opens one event stream per account and user, and passes its events on to all tabs. Browsers allow six HTTP/1.1
 * connections per host, so a stream for each tab would block the seventh tab.
 */
export class StreamHub {
  private readonly streams = new Map<string, SharedStream>();

  /** `hiddenForMs`: how long a stream stays open while no tab is visible. */
  constructor(private readonly hiddenForMs: number) {}

  /** Serves a tab. One port carries one subscription. */
  join(port: TabPort): void {
    let joined: SharedStream | undefined;
    port.onmessage = ({ data }) => {
      if (data === 'leave') {
        joined?.remove(port);
      } else {
        joined = this.streamOf(data);
        joined.hear(port, data);
      }
    };
  }

  private streamOf({ url, userId }: Subscription): SharedStream {
    const key = `${userId} ${url}`;
    let stream = this.streams.get(key);
    if (!stream) {
      stream = new SharedStream(url, this.hiddenForMs, () => this.streams.delete(key));
      this.streams.set(key, stream);
    }
    return stream;
  }
}

/** One stream and the tabs that listen to it. */
class SharedStream {
  private readonly tabs = new Map<TabPort, Tab>();
  private connection: Connection = 'closed';
  private source: EventSource | undefined;
  private reopening: ReturnType<typeof setTimeout> | undefined;
  /** The documents in the URL of the open stream. */
  private documents = '';
  /** The last message of the stream about each of them. */
  private readonly presence = new Map<string, string>();
  private visibleAt = 0;
  private readonly checking = setInterval(() => {
    this.check();
  }, CHECK_MS);

  constructor(
    private readonly url: string,
    private readonly hiddenForMs: number,
    private readonly onEmpty: () => void,
  ) {}

  /** Adds the tab, or notes that it is alive. */
  hear(port: TabPort, { isVisible, documentId }: Subscription): void {
    const before = this.tabs.get(port);
    const isNew = before === undefined;
    this.tabs.set(port, { port, isVisible, documentId, heardAt: Date.now() });
    this.check();
    // A new tab loads the list when it learns that the stream is live. All later events come from the stream.
    if (isNew) port.postMessage({ connection: this.connection });
    const known = documentId === undefined ? undefined : this.presence.get(documentId);
    if (before?.documentId !== documentId && known !== undefined) {
      port.postMessage({ presence: known });
    }
  }

  remove(port: TabPort): void {
    this.tabs.delete(port);
    this.check();
  }

  private check(): void {
    const now = Date.now();
    for (const { port, heardAt } of this.tabs.values()) {
      if (now - heardAt > SILENT_TAB_MS) this.tabs.delete(port);
    }
    if (this.tabs.size === 0) {
      clearInterval(this.checking);
      this.close();
      this.onEmpty();
    } else if ([...this.tabs.values()].some(({ isVisible }) => isVisible)) {
      this.visibleAt = now;
      if (this.connection === 'closed') this.open();
    } else if (now - this.visibleAt >= this.hiddenForMs) {
      this.close();
    }
    this.followDocuments();
  }

  /** Reopens the stream if the tabs show other documents now. */
  private followDocuments(): void {
    if (!this.source || this.documents === this.wantedDocuments()) return;
    clearTimeout(this.reopening);
    this.reopening = setTimeout(() => {
      if (!this.source || this.documents === this.wantedDocuments()) return;
      this.source.close();
      this.open();
    }, GATHER_MS);
  }

  private wantedDocuments(): string {
    const ids = [...this.tabs.values()].flatMap(({ documentId }) => documentId ?? []);
    return [...new Set(ids)].sort().slice(0, MAX_DOCUMENTS).join(',');
  }

  private open(): void {
    this.change('connecting');
    this.documents = this.wantedDocuments();
    this.presence.clear();
    const query = new URLSearchParams({ payload: 'thin' });
    for (const id of this.documents.split(',')) if (id !== '') query.append('presenceOf', id);
    const source = new EventSource(`${this.url}?${query.toString()}`);
    this.source = source;
    source.onopen = () => {
      this.change('live');
    };
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED) {
        this.change('connecting');
        return;
      }
      this.change('broken');
      this.reopening = setTimeout(() => {
        this.open();
      }, REOPEN_MS);
    };
    for (const type of EVENT_NAMES) {
      source.addEventListener(type, (message) => {
        this.send({ event: dataOf(message) });
      });
    }
    source.addEventListener('presence', (message) => {
      const presence = dataOf(message);
      const { documentId } = JSON.parse(presence) as { documentId: string };
      this.presence.set(documentId, presence);
      this.send({ presence });
    });
  }

  private close(): void {
    clearTimeout(this.reopening);
    this.source?.close();
    this.source = undefined;
    if (this.connection !== 'closed') this.change('closed');
  }

  private change(connection: Connection): void {
    this.connection = connection;
    this.send({ connection });
  }

  private send(message: HubMessage): void {
    for (const { port } of this.tabs.values()) port.postMessage(message);
  }
}

/** The library for workers has no type for these messages. */
function dataOf(message: Event): string {
  return (message as unknown as { data: string }).data;
}
