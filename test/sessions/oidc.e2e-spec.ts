import { safePath } from '../../src/features/people/sessions/oidc/oidc-navigation.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { Browser, newUser } from '../support/browser.js';
import { expectFailure } from '../support/envelope.js';
import { startOidcProvider, type OidcProvider } from '../support/oidc-provider.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { comeBack, locationOf, oidcEnvironment, signInAs, toProvider } from './oidc-browser.js';

let database: TestDatabase;
let provider: OidcProvider;
let app: TestApp;
let closed: TestApp;
beforeAll(async () => {
  database = await createTestDatabase();
  provider = await startOidcProvider();
  const environment = oidcEnvironment(provider);
  app = await startTestApp({ databaseUrl: database.url, environment });
  closed = await startTestApp({
    databaseUrl: database.url,
    environment: { ...environment, SIGNUP: 'closed' },
  });
});
afterAll(async () => {
  await app.close();
  await closed.close();
  await provider.close();
  await database.drop();
});
beforeEach(() => {
  provider.person = {};
  provider.forged = {};
  provider.signsWrongly = false;
  provider.honorsCodesAgain = false;
});

const signIn = (browser: Browser, person: Record<string, unknown>) =>
  signInAs(provider, browser, person);

async function expectNobody(browser: Browser): Promise<void> {
  expect((await browser.state()).user).toBeNull();
}

describe('signing in with a provider', () => {
  it('signing in with a provider is available if the operator has configured one', async () => {
    expect((await new Browser(app.origin).state()).oidc).toEqual({ name: 'Example SSO' });
    const without = await startTestApp({ databaseUrl: database.url });
    const browser = new Browser(without.origin);
    expect((await browser.state()).oidc).toBeNull();
    expectFailure(await browser.send('GET', '/oidc/start'), 404, 'NOT_FOUND');
    await without.close();
  });

  it('signing in with a provider creates a user with an account, who is the same the next time, even with a new e-mail', async () => {
    const { email } = newUser();
    const [browser, other] = [new Browser(app.origin), new Browser(app.origin)];
    const person = { sub: email, email, email_verified: true, name: 'Grace Hopper' };
    const response = await signIn(browser, person);
    expect([response.status, locationOf(response)]).toEqual([302, '/dashboard/']);
    const { user, accounts } = await browser.state();
    expect(user).toMatchObject({ email, name: 'Grace Hopper', hasPassword: false });
    expect(accounts).toMatchObject([{ plan: 'free', role: 'owner' }]);
    await signIn(other, { sub: email, email: newUser().email, email_verified: false });
    expect((await other.state()).user?.id).toBe(user?.id);
  });

  it('signing in with a provider opens the requested page', async () => {
    const { email } = newUser();
    const browser = new Browser(app.origin);
    provider.person = { email, email_verified: true };
    const back = await toProvider(browser, '/dashboard/keys?status=ended');
    expect(locationOf(await comeBack(browser, back))).toBe('/dashboard/keys?status=ended');
  });

  it('signing in with a provider sends a browser to the provider with state, nonce and a challenge, and keeps the rest hidden', async () => {
    const browser = new Browser(app.origin);
    const started = await browser.send('GET', '/oidc/start');
    const { searchParams } = new URL(locationOf(started));
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(searchParams.get(name)).toMatch(/^[\w-]{43}$/);
    }
    expect(searchParams.get('redirect_uri')).toBe(
      'http://documents.example.com/dashboard/api/oidc/callback',
    );
    const cookie = String(started.headers['set-cookie']);
    expect(cookie).toMatch(/^oidc=/);
    for (const attribute of [
      'Max-Age=600',
      'Path=/dashboard/api/oidc',
      'HttpOnly',
      'SameSite=Lax',
    ]) {
      expect(cookie).toContain(attribute);
    }
    expect(cookie).not.toContain(searchParams.get('state'));
  });

  it('signing in with a provider signs in the user with the verified e-mail address', async () => {
    const { userId, user } = await app.account();
    const browser = new Browser(app.origin);
    await signIn(browser, { email: user.email.toUpperCase(), email_verified: true });
    expect((await browser.state()).user).toMatchObject({ id: user.id, name: user.name });
    expect(userId).toBeTruthy();
  });

  it('signing in with a provider creates no new user if sign-up is closed, and signs in known ones', async () => {
    const { email } = newUser();
    const browser = new Browser(closed.origin);
    expectFailure(await signIn(browser, { email, email_verified: true }), 403, 'FORBIDDEN');
    await expectNobody(browser);
    const { user } = await closed.account();
    await signIn(browser, { email: user.email, email_verified: true });
    expect((await browser.state()).user?.email).toBe(user.email);
  });

  it.each([false, undefined, 'true'])(
    'signing in with a provider refuses an e-mail address with email_verified: %s',
    async (verified) => {
      const { user } = await app.account();
      const browser = new Browser(app.origin);
      const response = await signIn(browser, { email: user.email, email_verified: verified });
      expectFailure(response, 403, 'FORBIDDEN');
      await expectNobody(browser);
    },
  );

  it.each<[string, () => void]>([
    ['another nonce', () => (provider.forged = { nonce: 'another' })],
    ['another audience', () => (provider.forged = { aud: 'somebody else' })],
    ['another issuer', () => (provider.forged = { iss: 'https://other.example.com' })],
    ['an end in the past', () => (provider.forged = { exp: 1 })],
    ['a wrong signature', () => (provider.signsWrongly = true)],
  ])('refuses an ID token with %s', async (_, forge) => {
    const browser = new Browser(app.origin);
    provider.person = { email: newUser().email, email_verified: true };
    const back = await toProvider(browser);
    forge();
    expectFailure(await comeBack(browser, back), 401, 'UNAUTHORIZED');
    await expectNobody(browser);
  });

  it('signing in with a provider refuses a wrong state, another browser, a second use and a late response', async () => {
    provider.person = { email: newUser().email, email_verified: true };
    const [browser, stranger] = [new Browser(app.origin), new Browser(app.origin)];
    const back = await toProvider(browser);
    const changed = new URL(back);
    changed.searchParams.set('state', 'another');
    expectFailure(await comeBack(browser, changed), 401, 'UNAUTHORIZED');
    expectFailure(await comeBack(browser, back), 401, 'UNAUTHORIZED');
    expectFailure(await comeBack(stranger, await toProvider(browser)), 401, 'UNAUTHORIZED');
    // With somebody else's attempt: a stranger's account must not open in this browser.
    await toProvider(stranger);
    expectFailure(await comeBack(stranger, await toProvider(browser)), 401, 'UNAUTHORIZED');
    const late = await toProvider(browser);
    app.clock.advance(10 * 60_000);
    expectFailure(await comeBack(browser, late), 401, 'UNAUTHORIZED');
    await expectNobody(browser);
    await expectNobody(stranger);
  });

  it('signing in with a provider works once per attempt, on all replicas, even if the provider honors its code again', async () => {
    provider.honorsCodesAgain = true;
    const { user } = await app.account();
    provider.person = { email: user.email, email_verified: true };
    const browser = new Browser(app.origin);
    const back = await toProvider(browser);
    const { cookie } = browser;
    const copies = [app, closed, app, closed].map(({ origin }) => {
      const copy = new Browser(origin);
      copy.cookie = cookie;
      return copy;
    });
    // Several at once, while the browser itself comes back.
    const responses = await Promise.all([browser, ...copies].map((one) => comeBack(one, back)));
    expect(responses.map(({ status }) => status).sort()).toEqual([302, 401, 401, 401, 401]);
    const kept = new Browser(closed.origin);
    kept.cookie = cookie;
    expectFailure(await comeBack(kept, back), 401, 'UNAUTHORIZED');
    await expectNobody(kept);
  });

  it('signing in with a provider refuses a subject that cannot be stored', async () => {
    const browser = new Browser(app.origin);
    for (const sub of ['a\u0000b', 'a\ud800b']) {
      const person = { sub, email: newUser().email, email_verified: true };
      expectFailure(await signIn(browser, person), 401, 'UNAUTHORIZED');
    }
    const named = {
      email: newUser().email,
      email_verified: true,
      name: 'Ada\u0000\n\ud800Lovelace',
    };
    expect((await signIn(browser, named)).status).toBe(302);
    expect((await browser.state()).user?.name).toBe('Ada \ufffdLovelace');
  });

  it('signing in with a provider explains on the sign-in page what went wrong', async () => {
    const browser = new Browser(app.origin, {
      accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
    });
    const response = await browser.request(
      'GET',
      '/dashboard/api/oidc/callback?error=access_denied',
    );
    expect([response.status, locationOf(response)]).toEqual([
      302,
      '/dashboard/sign-in?error=provider-refused',
    ]);
  });
});

it.each([
  ['/dashboard/keys', '/dashboard/keys'],
  ['/dashboard/documents/doc_1?tab=x#y', '/dashboard/documents/doc_1?tab=x#y'],
  ['https://evil.example', '/dashboard/'],
  ['//evil.example/dashboard/', '/dashboard/'],
  ['/dashboard/../v1/keys', '/dashboard/'],
  ['/dashboard/..//evil.example', '/dashboard/'],
  ['/dashboard/%2e%2e/%2e%2e//evil.example', '/dashboard/'],
  ['/dashboard\\evil', '/dashboard/'],
  ['/dashboard/\\evil.example', '/dashboard/'],
  ['/dashboard/\nx', '/dashboard/'],
  ['/dashboardx', '/dashboard/'],
  ['/dashboard/api/session', '/dashboard/'],
  ['javascript:alert(1)', '/dashboard/'],
  [['/dashboard/keys'], '/dashboard/'],
  [undefined, '/dashboard/'],
])('the page after sign-in for %j is %s', (next, path) => {
  expect(safePath(next)).toBe(path);
});
