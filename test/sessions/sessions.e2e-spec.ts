import { startTestApp, type TestApp } from '../support/app.js';
import { Browser, newUser, type NewUser, type SessionState } from '../support/browser.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

let database: TestDatabase;
let app: TestApp;
let replica: TestApp;
beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp({ databaseUrl: database.url });
  replica = await startTestApp({ databaseUrl: database.url });
});
afterAll(async () => {
  await app.close();
  await replica.close();
  await database.drop();
});

const DAY_MS = 24 * 60 * 60 * 1000;

interface ListedSession {
  id: string;
  createdAt: string;
  seenAt: string;
  expiresAt: string;
  address: string | null;
  userAgent: string | null;
  current: boolean;
}

async function signedUp(): Promise<{ browser: Browser; user: NewUser; state: SessionState }> {
  const browser = new Browser(app.origin);
  const user = newUser();
  return { browser, user, state: await browser.signUp(user) };
}

async function signedIn({ email, password }: NewUser, headers = {}): Promise<Browser> {
  const browser = new Browser(app.origin, headers);
  expectSuccess(await browser.signIn(email, password), 201);
  return browser;
}

async function listOf(browser: Browser): Promise<ListedSession[]> {
  return expectSuccess(await browser.send('GET', '/sessions')) as ListedSession[];
}

/** Moves the clocks of both replicas. */
function advance(milliseconds: number): void {
  app.clock.advance(milliseconds);
  replica.clock.advance(milliseconds);
}

describe('a session', () => {
  it('a session starts with e-mail and password, whatever the case of the e-mail', async () => {
    const { user, state } = await signedUp();
    const browser = new Browser(app.origin);
    const response = await browser.signIn(` ${user.email.toUpperCase()} `, user.password);
    const data = expectSuccess(response, 201) as SessionState;
    expect(data).toEqual({ ...state, sessionId: data.sessionId });
    expect(data.user).toEqual({
      id: expect.stringMatching(/^user_/) as string,
      name: user.name,
      email: user.email,
      hasPassword: true,
      twoFactor: false,
      formerUserSetApart: false,
    });
    expect(data.accounts).toEqual([
      {
        id: expect.stringMatching(/^acct_/) as string,
        name: user.name,
        plan: 'free',
        role: 'owner',
      },
    ]);
    expect(await browser.state()).toEqual(data);
  });

  it('a session belongs to nobody without a cookie, with a wrong one, and with a malformed one', async () => {
    for (const cookie of [undefined, 'a'.repeat(43), 'x', '%00', "' OR 1=1 --", '']) {
      const browser = new Browser(app.origin);
      browser.cookie = cookie === undefined ? undefined : `session=${cookie}`;
      const { user, sessionId, accounts } = await browser.state();
      expect([user, sessionId, accounts]).toEqual([null, null, []]);
      expectFailure(await browser.send('GET', '/sessions'), 401, 'UNAUTHORIZED');
    }
  });

  it('a session has a cookie for the dashboard only, which no script reads and no other site sends', async () => {
    const { user } = await signedUp();
    const response = await new Browser(app.origin).signIn(user.email, user.password);
    const cookie = String(response.headers['set-cookie']);
    expect(cookie).toMatch(/^session=[A-Za-z0-9_-]{43};/);
    const attributes = cookie.split('; ').slice(1);
    expect(attributes).toEqual(
      expect.arrayContaining(['Path=/dashboard', 'HttpOnly', 'SameSite=Lax', 'Max-Age=2592000']),
    );
    expect(attributes).not.toContain('Secure');
    expect(cookie).not.toMatch(/domain/i);
  });

  it('a session has a Secure cookie if the browser uses TLS', async () => {
    const behindTls = await startTestApp({
      databaseUrl: database.url,
      environment: { TRUST_PROXY: 'loopback' },
    });
    const named = await startTestApp({
      databaseUrl: database.url,
      environment: { PUBLIC_URL: 'https://documents.example.com' },
    });
    const { user } = await signedUp();
    const forwarded = {
      'x-forwarded-proto': 'https',
      origin: behindTls.origin.replace('http:', 'https:'),
    };
    for (const browser of [new Browser(behindTls.origin, forwarded), new Browser(named.origin)]) {
      const response = await browser.signIn(user.email, user.password);
      expect(String(response.headers['set-cookie'])).toMatch(/; Secure/);
      const out = await browser.send('DELETE', '/session');
      expect(String(out.headers['set-cookie'])).toMatch(/^session=;.*; Secure/);
    }
    await behindTls.close();
    await named.close();
  });

  it('a session is unknown to /v1', async () => {
    const { browser } = await signedUp();
    expectFailure(await browser.request('GET', '/v1/documents'), 401, 'UNAUTHORIZED');
  });

  it('a session ends on sign-out, with its cookie', async () => {
    const { browser } = await signedUp();
    const kept = browser.at(app.origin);
    const response = await browser.send('DELETE', '/session');
    expect(response.status).toBe(204);
    expect(response.text).toBe('');
    expect(String(response.headers['set-cookie'])).toMatch(
      /^session=; Path=\/dashboard; Expires=Thu, 01 Jan 1970/,
    );
    expect((await kept.state()).user).toBeNull();
    expect((await browser.send('DELETE', '/session')).status).toBe(204);
  });

  it('a session is new on each sign-in, and the previous one in that browser ends', async () => {
    const { browser, user } = await signedUp();
    const before = browser.at(app.origin);
    expectSuccess(await browser.signIn(user.email, user.password), 201);
    expect(browser.cookie).not.toBe(before.cookie);
    expect((await before.state()).user).toBeNull();
    expect(await listOf(browser)).toHaveLength(1);
  });

  it('a session ends after 30 days, however much it is used', async () => {
    const { browser } = await signedUp();
    for (let day = 0; day < 29; day += 5) {
      expect((await browser.state()).user).not.toBeNull();
      await seenNow(browser);
      advance(5 * DAY_MS);
    }
    expect((await browser.state()).user).toBeNull();
  });

  it('a session ends after 7 days without use', async () => {
    const { browser } = await signedUp();
    advance(6 * DAY_MS);
    expect((await browser.state()).user).not.toBeNull();
    await seenNow(browser);
    advance(6 * DAY_MS);
    expect((await browser.state()).user).not.toBeNull();
    await seenNow(browser);
    advance(7 * DAY_MS);
    expect((await browser.state()).user).toBeNull();
  });

  it('a session is looked up by the hash of its token, and no stored value is a token', async () => {
    const { browser } = await signedUp();
    const token = browser.cookie?.slice('session='.length) ?? '';
    const rows: { row: string }[] = await app.dataSource.query(
      'SELECT sessions::text AS row FROM sessions',
    );
    expect(rows.map(({ row }) => row).join('\n')).not.toContain(token);
  });
});

/** Waits until the last use is stored: the service writes it without delaying the response. */
async function seenNow(browser: Browser): Promise<void> {
  for (;;) {
    const [session] = await listOf(browser);
    if (session?.seenAt === app.clock.now().toISOString()) return;
  }
}

describe('the list of sessions', () => {
  it('the list of sessions shows where and with what each started, and which one is current', async () => {
    const { user } = await signedUp();
    const phone = await signedIn(user, { 'user-agent': 'Phone/1.0' });
    advance(60_000);
    const desk = await signedIn(user, { 'user-agent': 'D'.repeat(500) });
    const now = app.clock.now();
    const [first, second] = await listOf(desk);
    expect(first).toEqual({
      id: (await desk.state()).sessionId,
      createdAt: now.toISOString(),
      seenAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + 30 * DAY_MS).toISOString(),
      address: '127.0.0.1',
      userAgent: 'D'.repeat(300),
      current: true,
    });
    expect(second).toMatchObject({ userAgent: 'Phone/1.0', current: false });
    expect((await listOf(phone)).find(({ current }) => current)?.userAgent).toBe('Phone/1.0');
  });

  it('the list of sessions ends one immediately, on every replica', async () => {
    const { browser, user } = await signedUp();
    const other = (await signedIn(user)).at(replica.origin);
    const { sessionId } = await other.state();
    expect(sessionId).not.toBeNull();
    const response = await browser.send('DELETE', `/sessions/${String(sessionId)}`);
    expect(response.status).toBe(204);
    expect((await other.state()).user).toBeNull();
    expectFailure(await other.send('GET', '/sessions'), 401, 'UNAUTHORIZED');
    expectFailure(await browser.send('DELETE', `/sessions/${String(sessionId)}`), 404, 'NOT_FOUND');
  });

  it('the list of sessions ends all others immediately, and not the current one', async () => {
    const { browser, user } = await signedUp();
    const others = [await signedIn(user), (await signedIn(user)).at(replica.origin)];
    expect((await browser.send('DELETE', '/sessions')).status).toBe(204);
    for (const other of others) expect((await other.state()).user).toBeNull();
    expect(await listOf(browser)).toHaveLength(1);
  });

  it('the list of sessions neither shows nor ends sessions of other people', async () => {
    const [mine, theirs] = [await signedUp(), await signedUp()];
    const { sessionId } = theirs.state;
    const response = await mine.browser.send('DELETE', `/sessions/${String(sessionId)}`);
    expectFailure(response, 404, 'NOT_FOUND');
    expectFailure(await mine.browser.send('DELETE', '/sessions/ses_x'), 404, 'NOT_FOUND');
    expect(await listOf(mine.browser)).toHaveLength(1);
    expect((await theirs.browser.state()).user).not.toBeNull();
  });
});
