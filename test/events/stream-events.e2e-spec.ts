import { ServerResponse } from 'node:http';
import { StreamTimes } from '../../src/features/events/stream/event-streams.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure } from '../support/envelope.js';
import { StreamClient, type StreamOptions } from './stream-client.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const open = async (key: string, options?: StreamOptions) =>
  (await StreamClient.open(app.origin, key, options)).listen();

/** Creates a document and returns its id. */
async function create(api: ApiClient, title = 'Streamed'): Promise<string> {
  const created = await api.createDocument({ title });
  expect(created.status).toBe(201);
  return (created.body.data as { id: string }).id;
}

const documentOf = (data: string) =>
  (JSON.parse(data) as { data: { document: { id: string } } }).data.document.id;

describe('the stream of events', () => {
  it('the stream of events shows each event as it happens: its id, its type, and the event in full', async () => {
    const { api, key } = await app.account();
    const stream = await open(key);
    const document = await create(api);
    const { id, event, data } = await stream.next();
    expect(event).toBe('document.created');
    expect(documentOf(data)).toBe(document);
    const read = await api.readEvent(id);
    expect(JSON.parse(data)).toEqual(read.body.data);
    expect(read.text).toContain(`"data":${data},"meta"`);
    stream.leave();
  });

  it('the stream of events is a stream of server-sent events, open before anything happens, that no proxy stores or buffers', async () => {
    const { key } = await app.account();
    const { response, ...stream } = await StreamClient.open(app.origin, key);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-request-id': expect.stringMatching(/^req_/) as string,
      'x-ratelimit-limit': expect.any(String) as string,
    });
    expect(stream.retry).toBeUndefined();
    response.destroy();
    const opened = await open(key);
    await opened.comment('the stream is open');
    expect(opened.retry).toBe('2000');
    opened.leave();
  });

  it('the stream of events starts when it is opened, and shows nothing of other accounts', async () => {
    const [mine, other] = [await app.account(), await app.account()];
    await create(mine.api, 'Before');
    const stream = await open(mine.key);
    await create(other.api);
    const after = await create(mine.api);
    expect(documentOf((await stream.next()).data)).toBe(after);
    stream.leave();
  });

  it('the stream of events shows the same to every client of the account', async () => {
    const account = await app.account();
    const { key } = await app.anotherKey(account, { scopes: ['events:read'] });
    const streams = await Promise.all([open(account.key), open(key), open(account.key)]);
    for (let index = 0; index < 5; index += 1) await create(account.api, String(index));
    const [first, ...others] = await Promise.all(streams.map((stream) => stream.nextOnes(5)));
    for (const blocks of others) expect(blocks).toEqual(first);
    for (const stream of streams) stream.leave();
  });

  it('the stream of events writes each event once for all clients of the account that receive the same', async () => {
    const account = await app.account();
    const queries = [...Array<string>(5).fill(''), ...Array<string>(5).fill('?payload=thin')];
    const streams = await Promise.all(queries.map((query) => open(account.key, { query })));
    const written = jest.spyOn(ServerResponse.prototype, 'write').mock.calls;
    const document = await create(account.api);
    for (const stream of streams) expect(documentOf((await stream.next()).data)).toBe(document);
    const blocks = written
      .map(([block]) => block as unknown)
      .filter((block) => String(block).includes('event: document.created'));
    expect(blocks).toHaveLength(streams.length);
    // Equal strings would be encoded once for each stream.
    expect(blocks.every((block) => typeof block === 'object')).toBe(true);
    expect(new Set(blocks).size).toBe(2);
    jest.restoreAllMocks();
    for (const stream of streams) stream.leave();
  });

  it('the stream of events resumes after the last event that the client has received', async () => {
    const { api, key } = await app.account();
    const first = await open(key);
    const documents = [await create(api)];
    const { id } = await first.next();
    first.leave();
    for (let index = 0; index < 3; index += 1) documents.push(await create(api));
    const second = await open(key, { lastEventId: id });
    documents.push(await create(api));
    const blocks = await second.nextOnes(4);
    expect(blocks.map(({ data }) => documentOf(data))).toEqual(documents.slice(1));
    second.leave();
  });

  it('the stream of events catches up on more events than are read at once', async () => {
    const { api, key } = await app.account();
    await create(api);
    const [{ id }] = (await api.listEvents()).body.data as [{ id: string }];
    const documents: string[] = [];
    for (let batch = 0; batch < 25; batch += 1) {
      documents.push(...(await Promise.all(Array.from({ length: 10 }, () => create(api)))));
    }
    const stream = await open(key, { lastEventId: id });
    const blocks = await stream.nextOnes(250);
    expect(blocks.map(({ data }) => documentOf(data)).sort()).toEqual(documents.sort());
    stream.leave();
  });

  it('the stream of events shows a body with line breaks between tokens as the same JSON', async () => {
    const { api, key } = await app.account();
    const stream = await open(key);
    const metadata = '{\n  "tags": [\r\n    "a"],\r"note": "one\\ntwo"\n}';
    const created = await api.send('POST', '/v1/documents', {
      rawBody: `{"title":"T","metadata":${metadata}}`,
    });
    const { data } = await stream.next();
    const event = JSON.parse(data) as { data: { document: unknown } };
    expect(event.data.document).toEqual(created.body.data);
    stream.leave();
  });

  it('the stream of events shows only the selected types', async () => {
    const { api, key } = await app.account();
    const hooks = await open(key, { query: '?types=webhook.*' });
    const documents = await open(key, { query: '?types=document.created,webhook.disabled' });
    const document = await create(api);
    expect(documentOf((await documents.next()).data)).toBe(document);
    hooks.leave();
    const resumed = await open(key, { query: '?types=document.*' });
    const next = await create(api);
    expect(documentOf((await resumed.next()).data)).toBe(next);
    documents.leave();
    resumed.leave();
  });

  it('the stream of events sends a comment when nothing happens', async () => {
    const times = app.app.get(StreamTimes, { strict: false });
    const { heartbeatMs, upkeepMs } = times;
    Object.assign(times, { heartbeatMs: 20, upkeepMs: 10 });
    const { key } = await app.account();
    const stream = await open(key);
    await stream.comment('heartbeat');
    stream.leave();
    Object.assign(times, { heartbeatMs, upkeepMs });
  });

  it('the stream of events responds to HEAD with its headers and nothing else', async () => {
    const { api } = await app.account();
    const reply = await api.send('HEAD', '/v1/events/stream');
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(reply.text).toBe('');
  });
});

describe('a stream that cannot be opened', () => {
  it.each([
    ['?types=document.create', /did you mean 'document\.created'/],
    ['?types=', /is not a known event/],
    ['?types=document.created&types=document.updated', /given once, with commas between names/],
    [`?types=${Array(51).fill('*').join()}`, /more than 50 names/],
  ])('%s is refused in the envelope with the problem', async (query, issue) => {
    const { api } = await app.account();
    const reply = await api.send('GET', `/v1/events/stream${query}`);
    expectFailure(reply, 400, 'INVALID_REQUEST');
    expect(reply.body.error.details).toMatchObject({
      field: 'types',
      issue: expect.stringMatching(issue) as string,
    });
  });

  it('a stream that cannot be opened is refused for an unknown parameter', async () => {
    const { api } = await app.account();
    const reply = await api.send('GET', '/v1/events/stream?type=document.created');
    expectFailure(reply, 400, 'INVALID_REQUEST');
    expect(reply.body.error.details.issue).toMatch(/did you mean 'types'/);
  });

  it('a stream that cannot be opened is refused in the same words when the last event is not stored, malformed, or of another account', async () => {
    const [owner, stranger] = [await app.account(), await app.account()];
    await create(owner.api);
    const [{ id }] = (await owner.api.listEvents()).body.data as [{ id: string }];
    const responses = await Promise.all(
      [id, 'evt_01h455vb4pex5vsknk084sn02q', 'evt_', '7', `${id}, ${id}`].map((lastEventId) =>
        stranger.api.send('GET', '/v1/events/stream', {
          headers: { 'last-event-id': lastEventId },
        }),
      ),
    );
    for (const reply of responses) expectFailure(reply, 400, 'INVALID_REQUEST');
    expect(new Set(responses.map(({ text }) => text.replace(/req_\w+/, ''))).size).toBe(1);
    expect(responses[0]?.body.error.details.field).toBe('Last-Event-ID');
  });

  it('a stream that cannot be opened is refused without a key, and with one that cannot read events', async () => {
    expectFailure(await app.api().send('GET', '/v1/events/stream'), 401, 'UNAUTHORIZED');
    const { api } = await app.account({ scopes: ['documents:read', 'webhooks:read'] });
    expectFailure(await api.send('GET', '/v1/events/stream'), 403, 'FORBIDDEN');
  });

  it('a stream that cannot be opened is refused beyond 20 per key; closing one allows another, and other keys have their own limit', async () => {
    const { api, key } = await app.account();
    const streams = await Promise.all(Array.from({ length: 20 }, () => open(key)));
    const refused = await api.send('GET', '/v1/events/stream');
    expectFailure(refused, 429, 'RATE_LIMIT_EXCEEDED');
    expect(refused.body.error.message).toMatch(/key has 20 open streams.*Close one/);
    expect(refused.headers['retry-after']).toBe('10');
    const other = await open((await app.account()).key);
    other.leave();
    streams.pop()?.leave();
    for (;;) {
      const again = await StreamClient.open(app.origin, key);
      again.leave();
      if (again.response.statusCode === 200) break;
    }
    for (const stream of streams) stream.leave();
  });

  it('a stream that cannot be opened is refused beyond 200 per account, whatever the key', async () => {
    const account = await app.account();
    const keys = await Promise.all(Array.from({ length: 10 }, () => app.anotherKey(account)));
    const streams = await Promise.all(
      keys.flatMap(({ key }) => Array.from({ length: 20 }, () => open(key))),
    );
    const statuses = new Set(streams.map(({ response }) => response.statusCode));
    expect([...statuses]).toEqual([200]);
    const refused = await account.api.send('GET', '/v1/events/stream');
    expectFailure(refused, 429, 'RATE_LIMIT_EXCEEDED');
    expect(refused.body.error.message).toMatch(/^This account has 200 open streams/);
    for (const stream of streams) stream.leave();
  });

  it("a stream that cannot be opened does not count against the account's limit after it was refused", async () => {
    const { api, key } = await app.account();
    for (let index = 0; index < 30; index += 1) {
      const headers = { 'last-event-id': 'evt_' };
      expect((await api.send('GET', '/v1/events/stream', { headers })).status).toBe(400);
    }
    const stream = await open(key);
    expect(stream.response.statusCode).toBe(200);
    stream.leave();
  });
});
