import {
  StreamHub,
  type HubMessage,
  type Subscription,
  type TabMessage,
  type TabPort,
} from '../../packages/dashboard/src/stream/stream-hub.js';

/** Replaces the browser's EventSource, which does not exist here. */
class Source extends EventTarget {
  static readonly CLOSED = 2;
  static opened: Source[] = [];
  static readonly open = () => Source.opened.filter(({ readyState }) => readyState !== 2);
  readyState = 0;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;

  constructor(readonly url: string) {
    super();
    Source.opened.push(this);
  }

  respond(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  refuse(): void {
    this.readyState = 2;
    this.onerror?.();
  }

  bring(data: string, type = 'document.created'): void {
    this.dispatchEvent(Object.assign(new Event(type), { data }));
  }

  close(): void {
    this.readyState = 2;
  }
}

class Tab implements TabPort {
  onmessage: TabPort['onmessage'] = null;
  readonly heard: HubMessage[] = [];
  postMessage = (message: HubMessage) => this.heard.push(message);

  constructor(hub: StreamHub) {
    hub.join(this);
  }

  say(data: TabMessage): void {
    this.onmessage?.({ data });
  }
}

const VISIBLE: Subscription = { url: '/stream', userId: 'user_1', isVisible: true };
const HIDDEN: Subscription = { ...VISIBLE, isVisible: false };

describe('The stream that all tabs of a browser share', () => {
  let hub: StreamHub;
  const before = (globalThis as { EventSource?: unknown }).EventSource;
  beforeEach(() => {
    jest.useFakeTimers();
    Object.assign(globalThis, { EventSource: Source });
    Source.opened = [];
    hub = new StreamHub(60_000);
  });
  afterEach(() => {
    jest.clearAllTimers();
    jest.useRealTimers();
    Object.assign(globalThis, { EventSource: before });
  });

  /** Tabs repeat their message while time passes. */
  const pass = (seconds: number, ...tabs: [Tab, Subscription][]) => {
    for (let second = 0; second < seconds; second += 10) {
      jest.advanceTimersByTime(10_000);
      for (const [tab, message] of tabs) tab.say(message);
    }
  };

  it('The stream that all tabs of a browser share is one connection for all tabs of a user and account, and delivers each event to each tab once', () => {
    const tabs = Array.from({ length: 12 }, () => new Tab(hub));
    for (const tab of tabs) tab.say(VISIBLE);
    expect(Source.opened).toHaveLength(1);
    Source.opened[0]?.respond();
    Source.opened[0]?.bring('one');
    tabs[0]?.say('leave');
    Source.opened[0]?.bring('two');
    expect(tabs.map(({ heard }) => heard.filter((message) => 'event' in message))).toEqual([
      [{ event: 'one' }],
      ...tabs.slice(1).map(() => [{ event: 'one' }, { event: 'two' }]),
    ]);
    const late = new Tab(hub);
    late.say(VISIBLE);
    expect(late.heard).toEqual([{ connection: 'live' }]);
    for (const tab of [...tabs, late]) tab.say('leave');
    expect(Source.open()).toEqual([]);
  });

  it('The stream that all tabs of a browser share is a separate one for another account and for another user of the same account', () => {
    const tab = new Tab(hub);
    tab.say(VISIBLE);
    new Tab(hub).say({ ...VISIBLE, url: '/other' });
    new Tab(hub).say({ ...VISIBLE, userId: 'user_2' });
    expect(Source.opened.map(({ url }) => url)).toEqual([
      '/stream?payload=thin',
      '/other?payload=thin',
      '/stream?payload=thin',
    ]);
    tab.say('leave');
    expect(Source.open()).toHaveLength(2);
  });

  it('The stream that all tabs of a browser share closes when all tabs are hidden for 60 seconds, and opens when one is visible again', () => {
    const [one, other] = [new Tab(hub), new Tab(hub)];
    one.say(VISIBLE);
    other.say(HIDDEN);
    pass(120, [one, VISIBLE], [other, HIDDEN]);
    one.say(HIDDEN);
    pass(50, [one, HIDDEN], [other, HIDDEN]);
    expect(Source.open()).toHaveLength(1);
    pass(20, [one, HIDDEN], [other, HIDDEN]);
    expect(Source.open()).toEqual([]);
    expect(other.heard.at(-1)).toEqual({ connection: 'closed' });
    other.say(VISIBLE);
    expect(Source.open()).toHaveLength(1);
  });

  it('The stream that all tabs of a browser share drops a tab that is silent for 30 seconds, and accepts it when it returns', () => {
    const [crashed, other] = [new Tab(hub), new Tab(hub)];
    crashed.say(VISIBLE);
    other.say(VISIBLE);
    pass(40, [other, VISIBLE]);
    Source.opened[0]?.respond();
    expect(crashed.heard).toEqual([{ connection: 'connecting' }, { connection: 'connecting' }]);
    crashed.say(VISIBLE);
    expect(crashed.heard.at(-1)).toEqual({ connection: 'live' });
    pass(40);
    expect(Source.open()).toEqual([]);
  });

  it('The stream that all tabs of a browser share asks who is in the documents of all tabs, and opens again when they change', () => {
    const [one, other] = [new Tab(hub), new Tab(hub)];
    one.say({ ...VISIBLE, documentId: 'doc_1' });
    expect(Source.open().map(({ url }) => url)).toEqual(['/stream?payload=thin&presenceOf=doc_1']);
    other.say({ ...HIDDEN, documentId: 'doc_2' });
    jest.advanceTimersByTime(200);
    expect(Source.open().map(({ url }) => url)).toEqual([
      '/stream?payload=thin&presenceOf=doc_1&presenceOf=doc_2',
    ]);
    one.say('leave');
    other.say({ ...VISIBLE, documentId: 'doc_2' });
    jest.advanceTimersByTime(200);
    expect(Source.open().map(({ url }) => url)).toEqual(['/stream?payload=thin&presenceOf=doc_2']);
    const presence = JSON.stringify({ documentId: 'doc_2', entries: [], total: 0 });
    Source.open()[0]?.bring(presence, 'presence');
    expect(other.heard.at(-1)).toEqual({ presence });
    const late = new Tab(hub);
    late.say({ ...VISIBLE, documentId: 'doc_2' });
    expect(late.heard.at(-1)).toEqual({ presence });
  });

  it('The stream that all tabs of a browser share opens again 3 seconds after the service refused it', () => {
    const tab = new Tab(hub);
    tab.say(VISIBLE);
    Source.opened[0]?.refuse();
    expect(tab.heard.at(-1)).toEqual({ connection: 'broken' });
    jest.advanceTimersByTime(3_000);
    expect(Source.open()).toHaveLength(1);
  });
});
