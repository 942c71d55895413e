import { BodyBudget, type BodyLimits } from '../../src/platform/http/bodies/body-budget.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { RawConnection } from '../support/raw-http.js';

const KIB = 1024;

let app: TestApp;
let defaults: Partial<BodyLimits>;
let budget: BodyBudget;
const open: RawConnection[] = [];
beforeAll(async () => {
  app = await startTestApp({ environment: { TRUST_PROXY: 'loopback' } });
  budget = app.app.get(BodyBudget, { strict: false });
  defaults = Object.fromEntries(Object.entries(budget.limits));
});
beforeEach(() => {
  limit(defaults);
  limit({ bytes: 1_000 * KIB, share: 500 * KIB, smallBody: 64 * KIB, checks: 1_000 });
});
afterEach(async () => {
  for (const connection of open.splice(0)) connection.close();
  // Each test has the whole budget.
  await eventually(
    () => [budget['used'], budget['usedBySmall'], budget['arriving'].size],
    (left) => left.every((one) => one === 0),
  );
});
afterAll(() => app.close());

function limit(changed: Partial<BodyLimits>): void {
  Object.assign(budget.limits, changed);
}

interface Sent {
  key: string;
  /** The part of the body that is sent. The rest never arrives. */
  body?: string | Buffer;
  /** If missing, the body is chunked. */
  length?: number;
  from?: string;
  path?: string;
  type?: string;
}

/** Starts a request and leaves it incomplete. */
async function begin(sent: Sent): Promise<RawConnection> {
  const { key, body = '{', length, from = '192.0.2.1' } = sent;
  const framing =
    length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${String(length)}`;
  const connection = (await RawConnection.open(app.port)).listen();
  open.push(connection);
  connection.send(
    `POST ${sent.path ?? '/v1/documents'} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: ${sent.type ?? 'application/json'}\r\nX-Forwarded-For: ${from}\r\n${framing}\r\n\r\n`,
  );
  return connection.send(length === undefined ? chunk(body) : body);
}

function chunk(bytes: string | Buffer): string {
  return `${bytes.length.toString(16)}\r\n${bytes.toString()}\r\n`;
}

const responded = (connection: RawConnection) =>
  eventually(
    () => connection.statuses[0],
    (status) => status !== undefined,
  );

/**
 * Starts a body that takes more than half of a share, and waits until it does. Then more bodies of the account are refused.
 */
function hold(sent: Sent): Promise<RawConnection> {
  return eventually(
    async () => {
      const holder = await begin(sent);
      const isFull = async () => (await statusOf(sent.key, 200 * KIB, sent.from)) === 429;
      await eventually(async () => holder.statuses.length > 0 || (await isFull()));
      return holder;
    },
    ({ statuses }) => statuses.length === 0,
  );
}

/** Returns the response to a complete body that is refused. */
async function refusal(sent: Sent & { length: number }): Promise<RawConnection> {
  const connection = await begin({ ...sent, body: 'x'.repeat(sent.length) });
  await responded(connection);
  return connection;
}

/** Returns the status of a complete body of this size, which is refused for lack of memory or for its content. */
async function statusOf(key: string, bytes: number, from?: string): Promise<number> {
  const connection = await refusal({ key, length: bytes, ...(from !== undefined && { from }) });
  return connection.statuses[0] ?? 0;
}

describe('request bodies in progress', () => {
  it('of one account use at most its share, and more are refused before they are read', async () => {
    const { key } = await app.account();
    const other = await app.account();
    await hold({ key, length: 400 * KIB });
    const refused = await refusal({ key, length: 200 * KIB, from: '192.0.2.2' });
    expect(refused.statuses).toEqual([429]);
    expect(refused.text).toMatch(/\r\nRetry-After: 5\r\n/);
    expect(refused.text).toContain(
      '"code":"RATE_LIMIT_EXCEEDED","message":"This account is already sending',
    );
    expect(refused.text).toContain(`"details":{"limit":${String(500 * KIB)},"retryAfter":5}`);
    expect(await statusOf(other.key, 200 * KIB, '192.0.2.2')).toBe(400);
  });

  it('from one address use at most its share, whichever accounts they belong to', async () => {
    const [one, two] = [await app.account(), await app.account()];
    await hold({ key: one.key, length: 400 * KIB });
    await eventually(
      () => statusOf(two.key, 200 * KIB, '192.0.2.1'),
      (status) => status === 429,
    );
    expect(await statusOf(two.key, 200 * KIB, '192.0.2.2')).toBe(400);
  });

  it('use at most the budget of the process: 503 beyond it', async () => {
    const accounts = await Promise.all(Array.from({ length: 4 }, () => app.account()));
    for (const [index, { key }] of accounts.slice(0, 3).entries()) {
      await hold({ key, length: 330 * KIB, from: `192.0.2.${String(index)}` });
    }
    const { key } = accounts[3] ?? { key: '' };
    const refused = await refusal({ key, length: 200 * KIB, from: '192.0.2.9' });
    expect(refused.statuses).toEqual([503]);
    expect(refused.text).toMatch(/\r\nRetry-After: 5\r\n/);
    expect(refused.text).toContain(
      '"code":"INTERNAL_ERROR","message":"The service is already reading',
    );
  });

  it('do not affect small ones, even chunked ones', async () => {
    const { key, api } = await app.account();
    limit({ share: 100 * KIB });
    await begin({ key, length: 100 * KIB, from: '127.0.0.1' });
    await eventually(() => budget['used'] === 100 * KIB);
    expect(await statusOf(key, 90 * KIB, '127.0.0.1')).toBe(429);
    expect((await api.createDocument({ title: 'Small' })).status).toBe(201);
    const chunked = await begin({ key, body: '{"title":"Chunked"}', from: '127.0.0.1' });
    chunked.send('0\r\n\r\n');
    expect(await responded(chunked)).toBe(201);
  });

  it('are counted as they grow when they are chunked', async () => {
    const { key } = await app.account();
    const growing = await begin({ key, body: 'x'.repeat(200 * KIB) });
    expect(growing.statuses).toEqual([]);
    growing.send(chunk('x'.repeat(200 * KIB)));
    growing.send(chunk('x'.repeat(200 * KIB)));
    expect(await responded(growing)).toBe(429);
  });

  it('include forms and archives, in the same budget', async () => {
    const { key } = await app.account();
    await hold({
      key,
      length: 400 * KIB,
      path: '/v1/documents/import',
      type: 'multipart/form-data; boundary=b',
    });
    const archive = { path: '/v1/account/import', type: 'application/x-ndjson' };
    expect(await responded(await begin({ key, length: 10 ** 9, ...archive }))).toBe(429);
  });

  it('release their memory after the response, and when their client disconnects', async () => {
    const { key } = await app.account();
    for (let time = 0; time < 3; time += 1) {
      expect(await statusOf(key, 400 * KIB, '192.0.2.1')).toBe(400);
    }
    const left = await hold({ key, length: 400 * KIB });
    left.close();
    await eventually(
      () => statusOf(key, 200 * KIB, '192.0.2.1'),
      (status) => status === 400,
    );
  });

  it('that are refused while still being sent show the response, not a connection reset', async () => {
    const { api, key } = await app.account();
    await hold({ key, length: 400 * KIB });
    for (let time = 0; time < 5; time += 1) {
      const response = await api.send('POST', '/v1/documents', {
        rawBody: Buffer.alloc(4_000 * KIB, 'x'),
      });
      expectFailure(response, 429, 'RATE_LIMIT_EXCEEDED');
    }
  });

  it.each([
    ['stops', { length: 300 * KIB, body: 'x'.repeat(200 * KIB) }],
    ['stops in a chunk', { body: 'x'.repeat(10) }],
    ['is small and stops', { length: 100, body: '{' }],
    [
      'is a form and stops',
      { length: 9_000, path: '/v1/documents/import', type: 'multipart/form-data; boundary=b' },
    ],
    [
      'is an archive and stops',
      { length: 9_000, path: '/v1/account/import', type: 'application/x-ndjson' },
    ],
  ] as [string, Omit<Sent, 'key'>][])('end with 408 when one %s', async (_, sent) => {
    const { key } = await app.account();
    limit({ checkMs: 20, checks: 5 });
    const connection = await begin({ key, ...sent });
    expect(await responded(connection)).toBe(408);
    expect(connection.text).toContain('"message":"The body arrives too slowly');
  });

  it('can take as long as they keep the minimum speed', async () => {
    const { key } = await app.account();
    limit({ checkMs: 50, checks: 200, minBytes: 1 });
    const connection = await begin({ key, length: 100, body: '{"title":"' });
    for (const piece of ['S', 'l', 'o', 'w', `"}${' '.repeat(84)}`]) {
      const before = connection.socket.bytesWritten;
      await eventually(
        () => connection.socket.writableLength,
        (length) => length === 0,
      );
      expect(connection.statuses).toEqual([]);
      connection.send(piece);
      expect(connection.socket.bytesWritten).toBeGreaterThan(before);
    }
    expect(await responded(connection)).toBe(201);
  });

  it('drop the oldest small ones when too many are arriving, and never a new one', async () => {
    const { key, api } = await app.account();
    limit({ smallBytes: 200 * KIB });
    const held: RawConnection[] = [];
    for (let n = 0; n < 5; n += 1)
      held.push(await begin({ key, length: 60 * KIB, from: '127.0.0.1' }));
    await eventually(
      () => held.filter(({ statuses }) => statuses[0] === 503).length,
      (n) => n >= 2,
    );
    for (let n = 0; n < 5; n += 1) {
      const response = await api.createDocument({ title: 'New', content: 'x'.repeat(60 * KIB) });
      expect(response.status).toBe(201);
    }
    expect(held.filter(({ statuses }) => statuses.length === 0).length).toBeGreaterThan(0);
  });
});
