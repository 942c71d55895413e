import { Secret, TOTP } from 'otpauth';
import { startTestApp, type TestApp } from '../support/app.js';
import { Browser, newUser, type NewUser, type SessionState } from '../support/browser.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import type { ApiResponse } from '../support/api-client.js';
import { OneTimeLinksRepository } from '../../src/features/people/sessions/links/one-time-links.repository.js';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const STEP_MS = 30_000;

interface Person {
  browser: Browser;
  user: NewUser;
  secret: string;
  recoveryCodes: string[];
}

/** Returns the code that the app shows, this many steps from now. */
function codeOf(secret: string, steps = 0): string {
  const timestamp = app.clock.now().getTime() + steps * STEP_MS;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

async function withTwoFactor(): Promise<Person> {
  const browser = new Browser(app.origin);
  const user = newUser();
  await browser.signUp(user);
  const { secret } = expectSuccess(
    await browser.send('POST', '/user/two-factor', { password: user.password }),
    201,
  ) as { secret: string };
  const { recoveryCodes } = expectSuccess(
    await browser.send('POST', '/user/two-factor/confirm', { code: codeOf(secret) }),
  ) as { recoveryCodes: string[] };
  app.clock.advance(STEP_MS);
  return { browser, user, secret, recoveryCodes };
}

function signIn({ user }: Person, code?: string): Promise<ApiResponse> {
  return new Browser(app.origin).signIn(user.email, user.password, code);
}

const WRONG_CODE = {
  field: 'code',
  issue: 'is wrong or was already used; enter the code that the app shows now',
};

/** `problem`: what is wrong with the code that was sent. */
function expectCodeWanted(response: ApiResponse, sentence: RegExp, problem = {}): void {
  expectFailure(response, 401, 'UNAUTHORIZED');
  const { error } = response.body as { error: { details: unknown; message: string } };
  expect(error.details).toEqual({ code: 'second factor', ...problem });
  expect(error.message).toMatch(sentence);
  expect(response.headers['set-cookie']).toBeUndefined();
}

describe('two-factor sign-in', () => {
  it('two-factor sign-in starts when a code proves that the app has the secret', async () => {
    const browser = new Browser(app.origin);
    const user = newUser();
    await browser.signUp(user);
    const wrong = await browser.send('POST', '/user/two-factor', { password: 'not mine at all' });
    expectFailure(wrong, 400, 'INVALID_REQUEST');
    const early = await browser.send('POST', '/user/two-factor/confirm', { code: '123456' });
    expectFailure(early, 409, 'INVALID_REQUEST');

    const begun = await browser.send('POST', '/user/two-factor', { password: user.password });
    const { secret, uri } = expectSuccess(begun, 201) as { secret: string; uri: string };
    expect(uri).toMatch(/^otpauth:\/\/totp\/Document%20Service:/);
    expect(uri).toContain(`secret=${secret}`);
    expect(decodeURIComponent(uri)).toContain(user.email);
    // Not before: a secret that is not in any app must not lock anybody out.
    expectSuccess(await new Browser(app.origin).signIn(user.email, user.password), 201);
    expect((await browser.state()).user?.twoFactor).toBe(false);

    const bad = await browser.send('POST', '/user/two-factor/confirm', { code: '000000' });
    expectFailure(bad, 400, 'INVALID_REQUEST');
    const code = codeOf(secret);
    const confirmed = await browser.send('POST', '/user/two-factor/confirm', { code });
    const { recoveryCodes } = expectSuccess(confirmed) as { recoveryCodes: string[] };
    expect(new Set(recoveryCodes).size).toBe(10);
    expect((await browser.state()).user?.twoFactor).toBe(true);
    const again = await browser.send('POST', '/user/two-factor', { password: user.password });
    expectFailure(again, 409, 'INVALID_REQUEST');
  });

  it('two-factor sign-in prevents guessing the code that turns it on, over all replicas', async () => {
    const databaseUrl = (app.dataSource.options as { url: string }).url;
    const replica = await startTestApp({ databaseUrl });
    const browser = new Browser(app.origin);
    const user = newUser();
    await browser.signUp(user);
    const begun = await browser.send('POST', '/user/two-factor', { password: user.password });
    const { secret } = expectSuccess(begun, 201) as { secret: string };
    const guesses = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        browser
          .at(index % 2 === 0 ? app.origin : replica.origin)
          .send('POST', '/user/two-factor/confirm', { code: String(100_000 + index) }),
      ),
    );
    const statuses = guesses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(6);
    const right = await browser.send('POST', '/user/two-factor/confirm', { code: codeOf(secret) });
    expectFailure(right, 429, 'RATE_LIMIT_EXCEEDED');
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(0);
    await replica.close();
  });

  it('two-factor sign-in asks for a code only after the right password', async () => {
    const person = await withTwoFactor();
    expectCodeWanted(await signIn(person), /send the code/);
    expectCodeWanted(await signIn(person, ' '), /send the code/);
    expectCodeWanted(await signIn(person, '000000'), /wrong or was already used/, WRONG_CODE);
    const wrong = await new Browser(app.origin).signIn(person.user.email, 'wrong password', '1');
    expectFailure(wrong, 401, 'UNAUTHORIZED');
    expect((wrong.body as { error: { details?: unknown } }).error.details).toBeUndefined();
    const { user } = expectSuccess(
      await signIn(person, codeOf(person.secret)),
      201,
    ) as SessionState;
    expect(user?.twoFactor).toBe(true);
  });

  it('two-factor sign-in accepts no code twice, and none from before it', async () => {
    const person = await withTwoFactor();
    const [before, code] = [codeOf(person.secret, -1), codeOf(person.secret)];
    expectSuccess(await signIn(person, `${code.slice(0, 3)} ${code.slice(3)}`), 201);
    expectCodeWanted(await signIn(person, code), /wrong or was already used/, WRONG_CODE);
    expectCodeWanted(await signIn(person, before), /wrong or was already used/, WRONG_CODE);
    app.clock.advance(STEP_MS);
    expectSuccess(await signIn(person, codeOf(person.secret)), 201);
  });

  it('two-factor sign-in accepts a code only once when several send it at the same time', async () => {
    const person = await withTwoFactor();
    const code = codeOf(person.secret);
    const responses = await Promise.all([1, 2, 3, 4].map(() => signIn(person, code)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401]);
  });

  it('two-factor sign-in does not accept the confirming code a second time', async () => {
    const browser = new Browser(app.origin);
    const user = newUser();
    await browser.signUp(user);
    const begun = await browser.send('POST', '/user/two-factor', { password: user.password });
    const { secret } = expectSuccess(begun, 201) as { secret: string };
    const code = codeOf(secret);
    expectSuccess(await browser.send('POST', '/user/two-factor/confirm', { code }));
    expectCodeWanted(
      await new Browser(app.origin).signIn(user.email, user.password, code),
      /wrong or was already used/,
      WRONG_CODE,
    );
  });

  it('two-factor sign-in accepts codes of clocks that are one step off, and none beyond', async () => {
    const person = await withTwoFactor();
    expectCodeWanted(await signIn(person, codeOf(person.secret, 2)), /wrong/, WRONG_CODE);
    expectSuccess(await signIn(person, codeOf(person.secret, 1)), 201);
  });

  it('two-factor sign-in accepts each recovery code once, however it is typed', async () => {
    const person = await withTwoFactor();
    const [first = '', second = ''] = person.recoveryCodes;
    expectSuccess(await signIn(person, ` ${first.toUpperCase().replaceAll('-', '')} `), 201);
    expectCodeWanted(await signIn(person, first), /wrong or was already used/, WRONG_CODE);
    const racing = await Promise.all([1, 2, 3].map(() => signIn(person, second)));
    expect(racing.map(({ status }) => status).sort()).toEqual([201, 401, 401]);
  });

  it('two-factor sign-in gives new recovery codes to someone with the password and a code', async () => {
    const { browser, user, secret, recoveryCodes } = await withTwoFactor();
    const body = { password: user.password, code: codeOf(secret) };
    const response = await browser.send('POST', '/user/two-factor/recovery-codes', body);
    const made = expectSuccess(response, 201) as { recoveryCodes: string[] };
    expect(made.recoveryCodes).toHaveLength(10);
    const person = { browser, user, secret, recoveryCodes };
    expectCodeWanted(await signIn(person, recoveryCodes[0]), /wrong/, WRONG_CODE);
    expectSuccess(await signIn(person, made.recoveryCodes[0]), 201);
  });

  it('two-factor sign-in is turned off with the password and a code', async () => {
    const person = await withTwoFactor();
    const { browser, user, secret } = person;
    const right = { password: user.password, code: codeOf(secret) };
    for (const wrong of [
      { ...right, password: 'not mine' },
      { ...right, code: '000000' },
    ]) {
      expectFailure(
        await browser.send('DELETE', '/user/two-factor', wrong),
        400,
        'INVALID_REQUEST',
      );
    }
    expect((await browser.send('DELETE', '/user/two-factor', right)).status).toBe(204);
    expectSuccess(await signIn(person), 201);
  });

  it('two-factor sign-in stops someone who guesses codes', async () => {
    const person = await withTwoFactor();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      statuses.push((await signIn(person, '000000')).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
    expect((await signIn(person, codeOf(person.secret))).status).toBe(429);
    app.clock.advance(5 * 60_000);
    expectSuccess(await signIn(person, codeOf(person.secret)), 201);
  });

  it('two-factor sign-in cannot be bypassed with a link to set a password', async () => {
    const person = await withTwoFactor();
    const userId = decodeId('user', (await person.browser.state()).user?.id ?? '') ?? '';
    const links = app.app.get(OneTimeLinksRepository, { strict: false });
    const { token } = await links.create({ purpose: 'password', userId });
    const browser = new Browser(app.origin);
    const replies = { token, password: 'a new password', code: '123456' };
    const state = expectSuccess(await browser.send('POST', '/links/use', replies), 201);
    expect(state).toMatchObject({ user: null });
    expect(browser.cookie).toBeUndefined();
    expectCodeWanted(await browser.signIn(person.user.email, 'a new password'), /send the code/);
  });

  it('two-factor sign-in stores no readable secret and no readable code', async () => {
    const { secret, recoveryCodes } = await withTwoFactor();
    const rows: { row: string }[] = await app.dataSource.query(
      'SELECT user_second_factors::text AS row FROM user_second_factors',
    );
    const text = rows.map(({ row }) => row).join('\n');
    for (const hidden of [secret, ...recoveryCodes]) {
      expect(text).not.toContain(hidden);
      expect(text).not.toContain(Buffer.from(hidden).toString('hex'));
    }
  });
});
