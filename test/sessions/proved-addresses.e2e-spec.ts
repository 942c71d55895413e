import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { OneTimeLinksRepository } from '../../src/features/people/sessions/links/one-time-links.repository.js';
import { FROM_EVERYWHERE, newBrowser, signUpAs, type SignedInPerson } from '../dashboard/people.js';
import { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { newUser, type Browser, type NewUser, type SessionState } from '../support/browser.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { startOidcProvider, type OidcProvider } from '../support/oidc-provider.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { comeBack, oidcEnvironment, signInAs, toProvider } from './oidc-browser.js';

let database: TestDatabase;
let provider: OidcProvider;
let app: TestApp;
let closed: TestApp;
let links: OneTimeLinksRepository;
beforeAll(async () => {
  database = await createTestDatabase();
  provider = await startOidcProvider();
  const environment = { ...oidcEnvironment(provider), ...FROM_EVERYWHERE };
  app = await startTestApp({ databaseUrl: database.url, environment });
  closed = await startTestApp({
    databaseUrl: database.url,
    environment: { ...environment, SIGNUP: 'closed' },
  });
  links = app.app.get(OneTimeLinksRepository, { strict: false });
});
afterAll(async () => {
  await app.close();
  await closed.close();
  await provider.close();
  await database.drop();
});

interface Trap extends NewUser {
  browser: Browser;
  accountId: string;
  api: ApiClient;
  accomplice: SignedInPerson;
}

/** Signs up with somebody else's address, and prepares the account: another owner, a key and a webhook. */
async function trap(): Promise<Trap> {
  const user = newUser();
  const browser = newBrowser(app);
  const [account] = (await browser.signUp(user)).accounts;
  const accountId = account?.id ?? '';
  const accomplice = await signUpAs(app);
  const body = { email: accomplice.user.email, role: 'owner' };
  const invited = await browser.send('POST', `/accounts/${accountId}/invitations`, body);
  const { link } = expectSuccess(invited, 201) as { link: string };
  await accomplice.browser.send('POST', '/links/use', { token: link.split('#')[1] });
  const path = `/accounts/${accountId}/v1`;
  const made = await browser.send('POST', `${path}/keys`, { name: 'theirs', scopes: ['*'] });
  const { key } = expectSuccess(made, 201) as { key: string };
  const webhook = { url: 'https://evil.example.com/hooks', events: ['*'] };
  expectSuccess(await browser.send('POST', `${path}/webhooks`, webhook), 201);
  return { ...user, browser, accountId, api: new ApiClient(app.origin, key), accomplice };
}

/** Checks that the person has a fresh account, and that nothing of the trap can see it. */
async function expectFresh(browser: Browser, { email, accountId, api, ...trap }: Trap) {
  const { user, accounts } = await browser.state();
  expect(user).toMatchObject({ email, formerUserSetApart: true });
  expect(accounts).toMatchObject([{ role: 'owner', plan: 'free' }]);
  const own = accounts[0]?.id ?? '';
  expect(own).not.toBe(accountId);
  const read = async (path: string) =>
    expectSuccess(await browser.send('GET', `/accounts/${own}${path}`)) as unknown[];
  expect(await read('/members')).toMatchObject([{ email, emailVerified: true, isYou: true }]);
  for (const list of ['/invitations', '/v1/keys', '/v1/webhooks', '/v1/documents']) {
    expect(await read(list)).toEqual([]);
  }
  const made = await browser.send('POST', `/accounts/${own}/v1/documents`, { title: 'Secret' });
  const { id } = expectSuccess(made, 201) as { id: string };
  expect((await api.send('GET', `/v1/documents/${id}`)).status).toBe(401);
  for (const other of [trap.accomplice.browser, trap.browser]) {
    const path = `/accounts/${own}/v1/documents/${id}`;
    expect([401, 404]).toContain((await other.send('GET', path)).status);
  }
  const deliveries = await app.dataSource.query<unknown[]>(
    'SELECT FROM webhook_deliveries WHERE subject_id = $1',
    [decodeId('document', id)],
  );
  expect(deliveries).toEqual([]);
  // Whoever signed up is out, but the accomplice keeps the account that was prepared.
  expect((await trap.browser.state()).user).toBeNull();
  expectFailure(await newBrowser(app).signIn(email, trap.password), 401, 'UNAUTHORIZED');
  const members = await trap.accomplice.browser.send('GET', `/accounts/${accountId}/members`);
  const emails = (expectSuccess(members) as { email: string }[]).map((one) => one.email);
  expect(emails).toContain(trap.accomplice.user.email);
  expect(emails).not.toContain(email);
}

const signIn = (browser: Browser, person: Record<string, unknown>) =>
  signInAs(provider, browser, { email_verified: true, ...person });

const use = (browser: Browser, token: string, responses: object) =>
  browser.send('POST', '/links/use', { token, ...responses });

describe('a person whose address somebody else had signed up with', () => {
  it('a person whose address somebody else had signed up with gets a fresh account at the first sign-in with the provider, and is told until they dismiss it', async () => {
    const prepared = await trap();
    const owner = newBrowser(app);
    await signIn(owner, { email: prepared.email, name: 'The owner' });
    await expectFresh(owner, prepared);
    expect((await owner.send('DELETE', '/user/notices/former-user')).status).toBe(204);
    const again = newBrowser(app);
    await signIn(again, { email: prepared.email });
    expect((await again.state()).user).toMatchObject({ formerUserSetApart: false });
    expect((await again.state()).accounts).toHaveLength(1);
  });

  it('a person whose address somebody else had signed up with gets one fresh account if they sign in several times at once while the other one is active', async () => {
    const prepared = await trap();
    const browsers = Array.from({ length: 4 }, () => newBrowser(app));
    provider.person = { sub: prepared.email, email: prepared.email, email_verified: true };
    const returns = await Promise.all(browsers.map((browser) => toProvider(browser)));
    const path = `/accounts/${prepared.accountId}`;
    const attacks = [
      ...Array.from({ length: 4 }, () => newBrowser(app).signIn(prepared.email, prepared.password)),
      prepared.browser.send('POST', `${path}/v1/keys`, { name: 'late', scopes: ['*'] }),
      prepared.browser.send('POST', `${path}/invitations`, { ...newUser(), role: 'owner' }),
      newBrowser(app).send('POST', '/users', { ...newUser(), email: prepared.email }),
    ];
    const responses = browsers.map((browser, index) => comeBack(browser, returns[index] as URL));
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([
      302, 302, 302, 302,
    ]);
    await Promise.all(attacks);
    const states = await Promise.all(browsers.map((browser) => browser.state()));
    expect(new Set(states.map(({ user }) => user?.id)).size).toBe(1);
    await expectFresh(browsers[0] as Browser, prepared);
    const sessions = await app.dataSource.query<unknown[]>(
      'SELECT FROM sessions JOIN users ON users.id = user_id WHERE former_email = $1',
      [prepared.email],
    );
    expect(sessions).toEqual([]);
  });

  it('a person whose address somebody else had signed up with does not join an account by an invitation that somebody else has accepted in their name', async () => {
    const host = await signUpAs(app);
    const victim = newUser();
    const body = { email: victim.email, role: 'owner' };
    const invited = await host.browser.send(
      'POST',
      `/accounts/${host.accountId}/invitations`,
      body,
    );
    const { link } = expectSuccess(invited, 201) as { link: string };
    const impostor = newBrowser(app);
    expectSuccess(await use(impostor, link.split('#')[1] ?? '', victim), 201);
    // Where nobody may sign up, an invitation that was accepted by somebody else changes nothing.
    const response = await signIn(newBrowser(closed), { email: victim.email });
    expectFailure(response, 403, 'FORBIDDEN');
    const owner = newBrowser(app);
    await signIn(owner, { email: victim.email });
    const { accounts } = await owner.state();
    expect(accounts).toMatchObject([{ role: 'owner' }]);
    expect(accounts.map(({ id }) => id)).not.toContain(host.accountId);
    expect((await impostor.state()).user).toBeNull();
  });

  it('a person whose address somebody else had signed up with gets a fresh user by a mailed invitation, and need not know the password of the other one', async () => {
    const prepared = await trap();
    const host = await signUpAs(app);
    const { token, mailedToken } = await links.create({
      purpose: 'invitation',
      email: prepared.email,
      accountId: decodeId('account', host.accountId) ?? '',
      role: 'member',
      invitedBy: decodeId('user', host.user.id) ?? '',
    });
    const responses = { name: 'The owner', password: 'correct horse battery' };
    // The inviter, too, has the other link.
    expectFailure(await use(newBrowser(app), token, responses), 401, 'UNAUTHORIZED');
    const owner = newBrowser(app);
    const state = expectSuccess(await use(owner, mailedToken, responses), 201) as SessionState;
    expect(state.user).toMatchObject({ name: 'The owner', formerUserSetApart: true });
    expect(state.accounts).toMatchObject([{ id: host.accountId, role: 'member' }]);
    expect((await prepared.browser.state()).user).toBeNull();
    expect((await prepared.api.listDocuments()).status).toBe(401);
  });

  it("a person whose address somebody else had signed up with gets a fresh account by the operator's link for the address, even if the sign-up came after it", async () => {
    const email = `late-${newUser().email}`;
    const { token } = await links.create({ purpose: 'first-run', email });
    const impostor = newBrowser(app);
    await impostor.signUp({ ...newUser(), email });
    const owner = newBrowser(app);
    const responses = { name: 'The owner', password: 'correct horse battery' };
    expectSuccess(await use(owner, token, responses), 201);
    expect((await owner.state()).user).toMatchObject({ email, formerUserSetApart: true });
    expect((await impostor.state()).user).toBeNull();
  });
});

describe('a person who signed up with their own address', () => {
  it('a person who signed up with their own address keeps everything if they sign in with the provider in the browser where they are signed in', async () => {
    for (const service of [app, closed]) {
      const mine = await signUpAs(app);
      const browser = mine.browser.at(service.origin);
      await signIn(browser, { email: mine.user.email });
      const { user, accounts } = await browser.state();
      expect(user).toMatchObject({ id: mine.user.id, formerUserSetApart: false });
      expect(accounts).toMatchObject([{ id: mine.accountId, role: 'owner' }]);
      const members = await browser.send('GET', `/accounts/${mine.accountId}/members`);
      expect(expectSuccess(members)).toMatchObject([{ emailVerified: true }]);
      // From now on in any browser.
      const other = newBrowser(service);
      await signIn(other, { email: mine.user.email });
      expect((await other.state()).user?.id).toBe(mine.user.id);
    }
  });

  it("a person who signed up with their own address gets a fresh account in a browser where somebody else's session is", async () => {
    const mine = await signUpAs(app);
    const { browser } = await signUpAs(app);
    await signIn(browser, { email: mine.user.email });
    const { user } = await browser.state();
    expect(user).toMatchObject({ email: mine.user.email, formerUserSetApart: true });
    expect(user?.id).not.toBe(mine.user.id);
  });
});

it('an invitation link gives the same responses whether its address has a user or not', async () => {
  const withPassword = await signUpAs(app);
  const withoutPassword = await app.account();
  const bodies = [
    {},
    { password: 'not the right one' },
    { name: 'Ada' },
    { password: 'not the right one', code: '123456' },
  ];
  const seen = new Set<string>();
  for (const email of [newUser().email, withPassword.user.email, withoutPassword.user.email]) {
    const host = await signUpAs(app);
    const path = `/accounts/${host.accountId}/invitations`;
    const invited = await host.browser.send('POST', path, { email, role: 'viewer' });
    const { link, ...created } = expectSuccess(invited, 201) as { link: string };
    const token = link.split('#')[1] ?? '';
    const preview = await newBrowser(app).send('POST', '/links/preview', { token });
    const responses = [created, expectSuccess(preview)] as unknown[];
    for (const body of bodies) {
      const { status, body: reply } = await use(newBrowser(app), token, body);
      responses.push([status, (reply as { error: unknown }).error]);
    }
    seen.add(
      JSON.stringify(responses)
        .replaceAll(email, '')
        .replaceAll(/(inv|acct)_\w+/g, ''),
    );
  }
  expect(seen.size).toBe(1);
});
