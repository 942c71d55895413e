import type { Plan } from '../../src/features/auth/plan.js';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { FROM_EVERYWHERE, join, signUpAs, type SignedInPerson } from '../dashboard/people.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';

let app: TestApp;
let replica: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: FROM_EVERYWHERE });
  const databaseUrl = (app.dataSource.options as { url: string }).url;
  replica = await startTestApp({ environment: FROM_EVERYWHERE, databaseUrl });
});
afterAll(async () => {
  await replica.close();
  await app.close();
});

async function personOn(plan: Plan): Promise<SignedInPerson> {
  const person = await signUpAs(app);
  await app.dataSource.query('UPDATE accounts SET plan = $2 WHERE id = $1', [
    decodeId('account', person.accountId),
    plan,
  ]);
  return person;
}

const create = ({ browser, accountId }: SignedInPerson, of = app, account = accountId) =>
  browser.at(of.origin).send('POST', `/accounts/${account}/v1/documents`, { title: 'x' });
const batch = ({ browser, accountId }: SignedInPerson, size: number) =>
  browser.send('POST', `/accounts/${accountId}/v1/documents/batch`, {
    operations: Array.from({ length: size }, () => ({ op: 'create', document: { title: 'x' } })),
  });

/** Returns how many of `count` creations succeed. Sends 30 at a time, so none waits too long for the database. */
async function creates(person: SignedInPerson, count: number): Promise<number> {
  let passed = 0;
  for (let sent = 0; sent < count; sent += 30) {
    const responses = await Promise.all(
      Array.from({ length: Math.min(30, count - sent) }, (_, index) =>
        create(person, index % 2 === 0 ? app : replica),
      ),
    );
    passed += responses.filter(({ status }) => status === 201).length;
  }
  return passed;
}

describe('changes by a person', () => {
  it.each([
    ['free', 30],
    ['plus', 60],
    ['pro', 120],
  ] as const)('on %s are limited to %d a minute, over all replicas', async (plan, limit) => {
    const person = await personOn(plan);
    expect(await creates(person, limit + 15)).toBe(limit);
    const refused = await create(person, replica);
    expectFailure(refused, 429, 'RATE_LIMIT_EXCEEDED');
    expect(refused.body.error.message).toMatch(
      new RegExp(`^Your ${String(limit)} changes per minute are used up. Try again in \\d+ second`),
    );
    const { details } = refused.body.error as { details: Record<string, unknown> };
    expect(details).toEqual({
      window: 'minute',
      limit,
      resetAt: expect.stringMatching(/Z$/) as string,
      retryAfter: Number(refused.headers['retry-after']),
    });
    expect(refused.headers).toMatchObject({
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/) as string,
    });
    // Reading still works, and so does trying a template or a text.
    const { browser, accountId } = person;
    const listed = await browser.send('GET', `/accounts/${accountId}/v1/documents`);
    expectSuccess(listed);
    expect(listed.headers['x-ratelimit-limit']).toBe('600');
  });

  it('count for each operation of a batch, and a batch that is too large changes nothing', async () => {
    const person = await personOn('free');
    const larger = await batch(person, 31);
    expectFailure(larger, 429, 'RATE_LIMIT_EXCEEDED');
    expect(larger.body.error.message).toMatch(
      /^This request makes 31 changes, and you have 30 of 30 per minute left. Send fewer operations at a time.$/,
    );
    expectSuccess(await batch(person, 20));
    const refused = await batch(person, 12);
    expectFailure(refused, 429, 'RATE_LIMIT_EXCEEDED');
    expect(refused.headers['x-ratelimit-remaining']).toBe('10');
    expect(refused.body.error.message).toMatch(
      /^This request makes 12 changes, and you have 10 of 30 per minute left. Send fewer .* try again in \d+ seconds.$/,
    );
    // A refused batch does not use any of the remaining quota.
    expectSuccess(await batch(person, 10));
    expectFailure(await create(person), 429, 'RATE_LIMIT_EXCEEDED');
    const { browser, accountId } = person;
    const listed = await browser.send('GET', `/accounts/${accountId}/v1/documents`);
    expect(listed.body.meta.pagination?.total).toBe(30);
  });

  it('do not count against the 600 other requests a minute', async () => {
    const person = await personOn('enterprise');
    const { browser, accountId } = person;
    for (let used = 0; used < 580; used += 58) expectSuccess(await batch(person, 58));
    const before = await browser.send('GET', `/accounts/${accountId}/v1/documents`);
    expect(await creates(person, 25)).toBe(20);
    const after = await browser.send('GET', `/accounts/${accountId}/v1/documents`);
    const left = ({ headers }: typeof before) => Number(headers['x-ratelimit-remaining']);
    expect(left(after)).toBe(left(before) - 1);
  });

  it('are limited separately for each person and account', async () => {
    const person = await personOn('free');
    const other = await join(app, person.accountId, 'member');
    expect(await creates(person, 31)).toBe(30);
    expectSuccess(await create(other, app, person.accountId), 201);
    expectSuccess(await create(other), 201);
  });

  it('to people, keys and webhooks count too; changes by a key count only for the key', async () => {
    const person = await personOn('free');
    const { browser, accountId } = person;
    expect(await creates(person, 30)).toBe(30);
    const path = `/accounts/${accountId}`;
    for (const [method, to, body] of [
      ['PATCH', path, { name: 'Other' }],
      ['POST', `${path}/invitations`, { email: 'a@example.com', role: 'member' }],
      ['POST', `${path}/v1/keys`, { name: 'k', scopes: ['documents:read'] }],
      ['PATCH', `${path}/v1/documents/doc_01h455vb4pex5vsknk084sn02q`, { title: 'y' }],
      ['DELETE', `${path}/v1/documents/doc_01h455vb4pex5vsknk084sn02q`, undefined],
    ] as const) {
      expectFailure(await browser.send(method, to, body), 429, 'RATE_LIMIT_EXCEEDED');
    }
  });
});
