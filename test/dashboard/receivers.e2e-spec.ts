import { createHmac } from 'node:crypto';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { FROM_EVERYWHERE, signUpAs, type SignedInPerson } from './people.js';

/** Closes this machine to webhooks: no loopback and no plain http. */
const CLOSED = { WEBHOOK_ALLOWED_NETWORKS: '192.0.2.0/24', WEBHOOK_RETRY_SCHEDULE: '0' };

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({
    environment: { ...FROM_EVERYWHERE, ...CLOSED, PROCESS_ROLE: 'api', LOG_LEVEL: 'silent' },
    stopClock: false,
  });
});
afterAll(() => app.close());

interface Receiver {
  id: string;
  url: string;
  expiresAt: string;
}
interface Received {
  id: string;
  eventType: string | null;
  headers: Record<string, string>;
  body: string;
  isBodyTruncated: boolean;
  signature: string;
}

const at = ({ accountId }: SignedInPerson, path = '') => `/accounts/${accountId}${path}`;
const make = async (person: SignedInPerson) =>
  expectSuccess(await person.browser.send('POST', at(person, '/receivers')), 201) as Receiver;
const register = (person: SignedInPerson, url: string) =>
  person.browser.send('POST', at(person, '/v1/webhooks'), { url, events: ['*'] });
const received = async (person: SignedInPerson, { id }: Receiver) =>
  expectSuccess(
    await person.browser.send('GET', at(person, `/receivers/${id}/deliveries`)),
  ) as Received[];
const pathOf = ({ url }: Receiver) => new URL(url).pathname;
const post = (receiver: Receiver, body: string, headers: Record<string, string> = {}) =>
  app.api().send('POST', pathOf(receiver), { rawBody: body, headers });

/** Headers of Standard Webhooks. */
function signed(body: string, secret: string, at = Date.now()): Record<string, string> {
  const [id, time] = ['evt_1', String(Math.floor(at / 1000))];
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${digest}` };
}

describe('a test receiver', () => {
  it('a test receiver shows what the worker delivers, with the signature checked, even during a secret rotation', async () => {
    const worker = await startTestApp({
      environment: { ...CLOSED, PROCESS_ROLE: 'worker' },
      databaseUrl: databaseUrl(app),
      stopClock: false,
    });
    try {
      const owner = await signUpAs(app);
      const receiver = await make(owner);
      expect(receiver.url).toMatch(new RegExp(`^${app.origin}/dashboard/receivers/[\\w-]{43}$`));
      const webhook = expectSuccess(await register(owner, receiver.url), 201) as { id: string };
      await owner.browser.send('POST', at(owner, '/v1/documents'), { title: 'Plan' });
      const [first] = await eventually(
        () => received(owner, receiver),
        (all) => all.length === 1,
      );
      expect(first).toMatchObject({ eventType: 'document.created', signature: 'valid' });
      expect(JSON.parse(first?.body ?? '')).toMatchObject({ type: 'document.created' });
      expect(first?.headers).toHaveProperty('webhook-signature');
      await owner.browser.send('POST', at(owner, `/v1/webhooks/${webhook.id}/rotate-secret`), {});
      await owner.browser.send('POST', at(owner, '/v1/documents'), { title: 'Another' });
      const both = await eventually(
        () => received(owner, receiver),
        (all) => all.length === 2,
      );
      expect(both.map(({ signature }) => signature)).toEqual(['valid', 'valid']);
      const { body } = await owner.browser.send(
        'GET',
        at(owner, `/v1/webhooks/${webhook.id}/deliveries`),
      );
      expect(body.data).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }]);
      const steps = await owner.browser.send('GET', at(owner, '/first-steps'));
      expect(steps.body.data.steps).toContainEqual({ id: 'receive-delivery', done: true });
    } finally {
      await worker.close();
    }
  });

  it('a test receiver opens no address: only the account itself can reach it, and not over the network', async () => {
    const [owner, other] = [await signUpAs(app), await signUpAs(app)];
    const receiver = await make(owner);
    const token = receiver.url.split('/').at(-1) ?? '';
    expectSuccess(await register(owner, receiver.url), 201);
    // Receivers of another account or of nobody, and similar addresses.
    expectFailure(await register(other, receiver.url), 400, 'INVALID_REQUEST');
    for (const url of [
      receiver.url.replace(token, 'A'.repeat(43)),
      `${receiver.url}/`,
      `${receiver.url}?x`,
      `${receiver.url}#x`,
      receiver.url.replace(app.origin, 'http://169.254.169.254'),
      receiver.url.replace(app.origin, 'http://localhost'),
      receiver.url.replace('http://', 'http://user@'),
      receiver.url.replace('http://', 'ftp://'),
      receiver.url.replace('/dashboard/', '/dashboard/../x/dashboard/'),
      receiver.url.replace('/receivers/', '/Receivers/'),
      `${app.origin}/health/live`,
      app.origin,
    ])
      expectFailure(await register(owner, url), 400, 'INVALID_REQUEST');
    const webhook = expectSuccess(await register(owner, 'https://example.com/'), 201) as {
      id: string;
    };
    const patch = (url: string) =>
      owner.browser.send('PATCH', at(owner, `/v1/webhooks/${webhook.id}`), { url });
    expectFailure(await patch(receiver.url.replace(token, 'B'.repeat(43))), 400, 'INVALID_REQUEST');
    expectSuccess(await patch(receiver.url));
  });

  it('a test receiver cannot be read or deleted by others', async () => {
    const [owner, other] = [await signUpAs(app), await signUpAs(app)];
    const { id } = await make(owner);
    const path = at(other, `/receivers/${id}`);
    expectFailure(await other.browser.send('GET', `${path}/deliveries`), 404, 'NOT_FOUND');
    expectFailure(await other.browser.send('DELETE', path), 404, 'NOT_FOUND');
    expect((await owner.browser.send('DELETE', at(owner, `/receivers/${id}`))).status).toBe(204);
    expectSuccess(await owner.browser.send('GET', at(owner, '/receivers')));
  });

  it('a test receiver distinguishes a valid signature, an invalid one, and one that cannot be checked', async () => {
    const owner = await signUpAs(app);
    const receiver = await make(owner);
    const body = '{"type":"document.created","n":"<script>alert(1)</script>"}';
    expectSuccess(await post(receiver, body));
    const { secret } = expectSuccess(await register(owner, receiver.url), 201) as {
      secret: string;
    };
    expectSuccess(await post(receiver, body, signed(body, secret)));
    expectSuccess(await post(receiver, `${body} `, signed(body, secret)));
    expectSuccess(await post(receiver, body, signed(body, secret, Date.now() - 3_600_000)));
    expectSuccess(
      await post(receiver, 'no JSON \0', {
        cookie: 'session=x',
        authorization: 'Bearer x',
        'content-type': 'text/plain',
      }),
    );
    const all = await received(owner, receiver);
    expect(all.map(({ signature }) => signature)).toEqual([
      'invalid',
      'invalid',
      'invalid',
      'valid',
      'unknown',
    ]);
    expect(all[0]).toMatchObject({ eventType: null, body: 'no JSON \ufffd' });
    expect(all[0]?.headers).not.toHaveProperty('cookie');
    expect(all[0]?.headers).not.toHaveProperty('authorization');
    expect(all[4]?.body).toBe(body);
  });

  it('a test receiver lists the beginning of each body, and shows all of it in the single delivery', async () => {
    const [owner, other] = [await signUpAs(app), await signUpAs(app)];
    const receiver = await make(owner);
    const long = `{"type":"a","text":"${'é"\\\n'.repeat(50_000)}"}`.slice(0, 200_000);
    for (const body of ['', 'short', 'x'.repeat(16 * 1024), long]) {
      expectSuccess(await post(receiver, body));
      app.clock.advance(1);
    }
    const all = await received(owner, receiver);
    expect(all.map(({ isBodyTruncated }) => isBodyTruncated)).toEqual([true, false, false, false]);
    expect(all[0]?.body).toBe(long.slice(0, 16 * 1024));
    const path = (id = '') => `/receivers/${receiver.id}/deliveries/${id}`;
    for (const [index, body] of [long, 'x'.repeat(16 * 1024), 'short', ''].entries()) {
      const read = await owner.browser.send('GET', at(owner, path(all[index]?.id)));
      expect(expectSuccess(read)).toEqual({ ...all[index], body, isBodyTruncated: false });
    }
    for (const id of ['x', '019aa835-dbc5-7038-b9bc-1e1325c4f1fa', '%00']) {
      expectFailure(await owner.browser.send('GET', at(owner, path(id))), 404, 'NOT_FOUND');
    }
    const stolen = await other.browser.send('GET', at(other, path(all[0]?.id)));
    expectFailure(stolen, 404, 'NOT_FOUND');
  });

  it('a test receiver accepts 256 KiB, ten per second, and stores the last fifty for a day', async () => {
    const owner = await signUpAs(app);
    const receiver = await make(owner);
    expectSuccess(await post(receiver, 'x'.repeat(256 * 1024)));
    expectFailure(await post(receiver, 'x'.repeat(256 * 1024 + 1)), 413, 'INVALID_REQUEST');
    const receiverId = decodeId('receiver', receiver.id);
    await app.dataSource.query('DELETE FROM received_deliveries WHERE receiver_id = $1', [
      receiverId,
    ]);
    const burst = await Promise.all(
      Array.from({ length: 30 }, (_, n) => post(receiver, String(n))),
    );
    const statuses = burst.map(({ status }) => status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(10);
    const refused = burst.find(({ status }) => status === 429);
    expect(refused?.headers['retry-after']).toBe('1');
    const age = (by: string) =>
      app.dataSource.query(
        `UPDATE received_deliveries SET received_at = received_at - interval '${by}' WHERE receiver_id = $1`,
        [receiverId],
      );
    for (let round = 0; round < 6; round += 1) {
      await age('2 seconds');
      await Promise.all(
        Array.from({ length: 10 }, (_, n) => post(receiver, `${String(round)} ${String(n)}`)),
      );
    }
    const kept = await received(owner, receiver);
    expect(kept).toHaveLength(50);
    expect(kept[0]?.body).toMatch(/^5 /);
    await app.dataSource.query(
      `UPDATE test_receivers SET expires_at = now() - interval '1 second' WHERE id = $1`,
      [receiverId],
    );
    expectFailure(await post(receiver, 'late'), 404, 'NOT_FOUND');
    for (const token of ['%00', 'A'.repeat(43), 'A'.repeat(3_000)]) {
      const made = { ...receiver, url: `${app.origin}/dashboard/receivers/${token}` };
      expectFailure(await post(made, 'x'), 404, 'NOT_FOUND');
    }
    expectFailure(
      await owner.browser.send('GET', at(owner, `/receivers/${receiver.id}/deliveries`)),
      404,
      'NOT_FOUND',
    );
  });

  it('a test receiver shows a delivery with characters that cannot be stored', async () => {
    const person = await signUpAs(app);
    const receiver = await make(person);
    const bodies = [
      '"a\\u0000b"',
      '{"type": "a\\u0000b", "x": "\0"}',
      '{"type": "\\ud800"}',
      `{"type": "${'x'.repeat(99)}\\ud83d\\ude00"}`,
      '{"type": "test", "x": 1e400}',
      '\0',
    ];
    for (const body of bodies) {
      const headers = { 'x-text': `${'x'.repeat(999)}\u00ff`, 'content-type': 'text/\u00ff' };
      expect((await post(receiver, body, headers)).status).toBe(200);
    }
    const bytes = Buffer.from([0x00, 0xff, 0xed, 0xa0, 0x80]);
    const response = await app
      .api()
      .send('POST', `${pathOf(receiver)}?x=%00&y=%ed%a0%80`, { rawBody: bytes });
    expect(response.status).toBe(200);
    expect((await received(person, receiver)).map(({ eventType }) => eventType)).toEqual([
      ...[null, null, 'test', `${'x'.repeat(99)}\ufffd`, '\ufffd', 'a\ufffdb', null],
    ]);
  });

  it('a test receiver is limited to five, even when many are created at once', async () => {
    const owner = await signUpAs(app);
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => owner.browser.send('POST', at(owner, '/receivers'))),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(3);
    const listed = await owner.browser.send('GET', at(owner, '/receivers'));
    expect(listed.body.data).toHaveLength(5);
  });

  it('a test receiver is not available in production unless the operator enables it', async () => {
    const production = await startTestApp({
      environment: { ...FROM_EVERYWHERE, NODE_ENV: 'production', SIGNUP: 'open' },
      databaseUrl: databaseUrl(app),
    });
    try {
      const owner = await signUpAs(app);
      const receiver = await make(owner);
      const there = owner.browser.at(production.origin);
      for (const method of ['GET', 'POST'])
        expectFailure(await there.send(method, at(owner, '/receivers')), 404, 'NOT_FOUND');
      const response = await production.api().send('POST', pathOf(receiver), { rawBody: 'x' });
      expectFailure(response, 404, 'NOT_FOUND');
    } finally {
      await production.close();
    }
  });
});

function databaseUrl({ dataSource }: TestApp): string {
  return (dataSource.options as { url: string }).url;
}
