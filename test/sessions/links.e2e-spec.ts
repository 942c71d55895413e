import { decodeId, encodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import {
  OneTimeLinksRepository,
  type NewLink,
} from '../../src/features/people/sessions/links/one-time-links.repository.js';
import type { ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { Browser, newUser, type NewUser, type SessionState } from '../support/browser.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';

let app: TestApp;
let links: OneTimeLinksRepository;
beforeAll(async () => {
  app = await startTestApp({ environment: { SIGNUP: 'open' } });
  links = app.app.get(OneTimeLinksRepository, { strict: false });
});
afterAll(() => app.close());

const DAY_MS = 24 * 60 * 60 * 1000;

async function tokenOf(link: NewLink): Promise<string> {
  return (await links.create(link)).token;
}

const preview = (token: string) =>
  new Browser(app.origin).send('POST', '/links/preview', { token });

function expectNoGood(response: ApiResponse, code: string, sentence: RegExp): void {
  expectFailure(response, 404, 'NOT_FOUND');
  const { error } = response.body as { error: { details: unknown; message: string } };
  expect(error.details).toEqual({ code });
  expect(error.message).toMatch(sentence);
}

async function signedUp(): Promise<{ browser: Browser; user: NewUser; state: SessionState }> {
  const browser = new Browser(app.origin);
  const user = newUser();
  return { browser, user, state: await browser.signUp(user) };
}

/** Returns an invitation by somebody with an account. */
async function invitation(
  email: string,
): Promise<{ token: string; id: string; accountId: string }> {
  const { state } = await signedUp();
  const accountId = decodeId('account', state.accounts[0]?.id ?? '') ?? '';
  const invitedBy = decodeId('user', state.user?.id ?? '') ?? '';
  const link = { purpose: 'invitation', email, accountId, role: 'member', invitedBy } as const;
  const { token, id } = await links.create(link);
  return { token, id, accountId };
}

describe('a link', () => {
  it('a link says why it is no longer valid', async () => {
    const unknown = 'A'.repeat(43);
    for (const token of [unknown, 'short', '']) {
      expectNoGood(await preview(token), 'unknown', /link is unknown/);
    }
    const { user, browser } = await signedUp();
    const userId = decodeId('user', (await browser.state()).user?.id ?? '') ?? '';
    const expired = await tokenOf({ purpose: 'password', userId });
    app.clock.advance(DAY_MS);
    expectNoGood(await preview(expired), 'expired', /has expired/);

    const used = await tokenOf({ purpose: 'password', userId });
    const replies = { token: used, password: 'another password' };
    expectSuccess(await new Browser(app.origin).send('POST', '/links/use', replies), 201);
    expectNoGood(await preview(used), 'used', /already been used/);
    expectNoGood(await browser.send('POST', '/links/use', replies), 'used', /already been used/);

    const { token, id, accountId } = await invitation(newUser().email);
    expect(await links.revokeInvitation(accountId, id)).toBe(true);
    expectNoGood(await preview(token), 'revoked', /replaced by a newer one or revoked/);
    expect(user.email).toBeTruthy();
  });

  it('a link can be used by only one of many who try at once', async () => {
    const { token } = await invitation(newUser().email);
    const responses = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        new Browser(app.origin).send('POST', '/links/use', {
          token,
          name: `Racer ${String(index)}`,
          password: 'correct horse',
        }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 404, 404, 404, 404]);
  });

  it('a link is stored as a hash', async () => {
    const { token } = await invitation(newUser().email);
    const rows: { row: string }[] = await app.dataSource.query(
      'SELECT one_time_links::text AS row FROM one_time_links',
    );
    expect(rows.map(({ row }) => row).join('\n')).not.toContain(token);
  });

  it('a link stays valid when a value is missing or wrong', async () => {
    const { token } = await invitation(newUser().email);
    const browser = new Browser(app.origin);
    const nothing = await browser.send('POST', '/links/use', { token });
    expectFailure(nothing, 400, 'INVALID_REQUEST');
    expect(
      (nothing.body as { error: { details: { problems: unknown } } }).error.details.problems,
    ).toEqual([
      { field: 'name', issue: 'required field missing, unless you are a user already' },
      { field: 'password', issue: 'required field missing' },
    ]);
    const short = await browser.send('POST', '/links/use', { token, name: 'A', password: 'short' });
    expectFailure(short, 400, 'INVALID_REQUEST');
    expectSuccess(await preview(token));
  });
});

describe('an invitation', () => {
  it('an invitation says who invites to which account, and makes a new user a member', async () => {
    const { email } = newUser();
    const { token, accountId } = await invitation(email);
    expect(expectSuccess(await preview(token))).toEqual({
      purpose: 'invitation',
      email,
      account: { id: encodeId('account', accountId), name: 'Ada Lovelace' },
      role: 'member',
      invitedBy: 'Ada Lovelace',
      firstUser: false,
      expiresAt: new Date(app.clock.now().getTime() + 7 * DAY_MS).toISOString(),
    });
    const browser = new Browser(app.origin);
    const replies = { token, name: ' Grace Hopper ', password: 'correct horse' };
    const state = expectSuccess(
      await browser.send('POST', '/links/use', replies),
      201,
    ) as SessionState;
    expect(state.user).toMatchObject({ name: 'Grace Hopper', email });
    expect(state.accounts).toMatchObject([{ id: encodeId('account', accountId), role: 'member' }]);
    expect(await browser.state()).toEqual(state);
  });

  it('an invitation needs the password of an existing user', async () => {
    const { user } = await signedUp();
    const { token } = await invitation(user.email);
    const browser = new Browser(app.origin);
    const taken = { token, name: 'Mallory', password: 'the one I like' };
    expectFailure(await browser.send('POST', '/links/use', taken), 401, 'UNAUTHORIZED');
    const own = { token, password: user.password };
    const state = expectSuccess(await browser.send('POST', '/links/use', own), 201) as SessionState;
    expect(state.accounts.map(({ role }) => role)).toEqual(['owner', 'member']);
    expect(state.user?.name).toBe(user.name);
  });

  it('an invitation needs no password from the invited user who is signed in, but from another one', async () => {
    const { user, browser } = await signedUp();
    const before = browser.cookie;
    const { token } = await invitation(user.email);
    const somebodyElse = (await signedUp()).browser;
    expectFailure(await somebodyElse.send('POST', '/links/use', { token }), 400, 'INVALID_REQUEST');
    expectSuccess(await browser.send('POST', '/links/use', { token }), 201);
    expect(browser.cookie).toBe(before);
    expect((await browser.state()).accounts).toHaveLength(2);
  });

  it('an invitation does not give anyone the account of a user without a password', async () => {
    const { user } = await app.account();
    const { token } = await invitation(user.email);
    const replies = { token, name: 'Mallory', password: 'correct horse' };
    const response = await new Browser(app.origin).send('POST', '/links/use', replies);
    expectFailure(response, 401, 'UNAUTHORIZED');
  });

  it('an invitation can be given a new link, which ends the old one', async () => {
    const { email } = newUser();
    const { token, id, accountId } = await invitation(email);
    app.clock.advance(DAY_MS);
    const renewed = await links.renewInvitation(accountId, id);
    expectNoGood(await preview(token), 'revoked', /newer one/);
    expect(expectSuccess(await preview(renewed?.token ?? ''))).toMatchObject({
      email,
      expiresAt: new Date(app.clock.now().getTime() + 7 * DAY_MS).toISOString(),
    });
    expect((await links.openInvitations(accountId)).map((link) => link.id)).toEqual([id]);
  });
});

it('a link to set a password sets it, ends all sessions, and signs in', async () => {
  const { user, browser, state } = await signedUp();
  const userId = decodeId('user', state.user?.id ?? '') ?? '';
  const [token, other] = [
    await tokenOf({ purpose: 'password', userId }),
    await tokenOf({ purpose: 'password', userId }),
  ];
  expect(expectSuccess(await preview(token))).toMatchObject({
    purpose: 'password',
    email: user.email,
    account: null,
  });
  const fresh = new Browser(app.origin);
  const replies = { token, password: 'a new password' };
  expectSuccess(await fresh.send('POST', '/links/use', replies), 201);
  expect((await fresh.state()).user?.email).toBe(user.email);
  expect((await browser.state()).user).toBeNull();
  expectFailure(await browser.signIn(user.email, user.password), 401, 'UNAUTHORIZED');
  expectSuccess(await browser.signIn(user.email, 'a new password'), 201);
  expectNoGood(await preview(other), 'revoked', /newer one/);
});

describe('a link for the first run', () => {
  it('a link for the first run gives what the service has created to the person who opens it', async () => {
    const { userId, accountId } = await app.account();
    const token = await tokenOf({ purpose: 'first-run', userId });
    expect(expectSuccess(await preview(token))).toMatchObject({
      purpose: 'first-run',
      email: null,
    });
    const { email } = newUser();
    const browser = new Browser(app.origin);
    const replies = { token, email, name: 'Grace Hopper', password: 'correct horse' };
    const state = expectSuccess(
      await browser.send('POST', '/links/use', replies),
      201,
    ) as SessionState;
    expect(state.user).toMatchObject({ id: encodeId('user', userId), email, name: 'Grace Hopper' });
    expect(state.accounts).toMatchObject([
      { id: encodeId('account', accountId), name: 'Grace Hopper', role: 'owner' },
    ]);
    expectSuccess(await new Browser(app.origin).signIn(email, 'correct horse'), 201);
  });

  it('a link for the first run creates a new user with an account if it is for nobody in particular', async () => {
    const user = newUser();
    const token = await tokenOf({ purpose: 'first-run' });
    const taken = (await signedUp()).user.email;
    const browser = new Browser(app.origin);
    const wrong = await browser.send('POST', '/links/use', { token, ...user, email: taken });
    expectFailure(wrong, 409, 'INVALID_REQUEST');
    expectSuccess(await browser.send('POST', '/links/use', { token, ...user }), 201);
    expect((await browser.state()).accounts).toMatchObject([{ name: user.name, role: 'owner' }]);
  });
});
