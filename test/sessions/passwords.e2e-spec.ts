import { hash } from '@node-rs/argon2';
import { startTestApp, type TestApp } from '../support/app.js';
import { Browser, newUser, type NewUser } from '../support/browser.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

let database: TestDatabase;
let app: TestApp;
let replica: TestApp;
beforeAll(async () => {
  database = await createTestDatabase();
  const options = { databaseUrl: database.url, environment: { TRUST_PROXY: 'loopback' } };
  app = await startTestApp(options);
  replica = await startTestApp(options);
});
afterAll(async () => {
  await app.close();
  await replica.close();
  await database.drop();
});

const MINUTE_MS = 60_000;

let addresses = 0;

/** Returns a browser with a different address. */
function elsewhere(origin = app.origin): Browser {
  addresses += 1;
  const address = `198.51.${String(Math.floor(addresses / 250))}.${String(addresses % 250)}`;
  return new Browser(origin, { 'x-forwarded-for': address });
}

async function user(): Promise<NewUser> {
  const made = newUser();
  await elsewhere().signUp(made);
  return made;
}

function advance(milliseconds: number): void {
  app.clock.advance(milliseconds);
  replica.clock.advance(milliseconds);
}

it('a wrong password gets the same response as an unknown e-mail address', async () => {
  const { email } = await user();
  const responses = [
    await elsewhere().signIn(email, 'wrong password'),
    await elsewhere().signIn(newUser().email, 'wrong password'),
    // Somebody without a password.
    await elsewhere().signIn((await app.account()).user.email, 'wrong password'),
  ];
  for (const response of responses) {
    expectFailure(response, 401, 'UNAUTHORIZED');
    expect((response.body as { error: unknown }).error).toEqual(
      (responses[0]?.body as { error: unknown }).error,
    );
    expect(response.headers['set-cookie']).toBeUndefined();
  }
});

it('a correct password is hashed again if its hash has a different cost', async () => {
  const { email, password } = await user();
  const stored = async () => {
    const [row] = await app.dataSource.query<{ hash: string }[]>(
      `SELECT password_hash AS hash FROM user_credentials JOIN users ON id = user_id WHERE email = $1`,
      [email],
    );
    return row?.hash;
  };
  const cheap = await hash(password, { memoryCost: 1024, timeCost: 1 });
  await app.dataSource.query(
    'UPDATE user_credentials SET password_hash = $2 WHERE user_id = (SELECT id FROM users WHERE email = $1)',
    [email, cheap],
  );
  expectFailure(await elsewhere().signIn(email, 'wrong password'), 401, 'UNAUTHORIZED');
  expect(await stored()).toBe(cheap);
  expectSuccess(await elsewhere().signIn(email, password), 201);
  const renewed = await stored();
  expect(renewed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expectSuccess(await elsewhere().signIn(email, password), 201);
  expect(await stored()).toBe(renewed);
});

describe('attempts to sign in', () => {
  it("from before the database's clock went back by an hour stop nobody", async () => {
    const { email, password } = await user();
    const browser = elsewhere();
    for (let attempt = 0; attempt < 9; attempt += 1) {
      expect((await browser.signIn(email, 'wrong password')).status).toBe(401);
    }
    advance(-60 * MINUTE_MS);
    try {
      expectSuccess(await browser.signIn(email, password), 201);
    } finally {
      advance(60 * MINUTE_MS);
    }
  });

  it('attempts to sign in are stopped for an e-mail address after ten failures, wherever they come from', async () => {
    const { email, password } = await user();
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const origin = attempt % 2 === 0 ? app.origin : replica.origin;
      expect((await elsewhere(origin).signIn(email, 'wrong password')).status).toBe(401);
    }
    const stopped = await elsewhere(replica.origin).signIn(email, password);
    expectFailure(stopped, 429, 'RATE_LIMIT_EXCEEDED');
    expect(stopped.headers['retry-after']).toBe('60');
    expect((await elsewhere().signIn(newUser().email, 'wrong password')).status).toBe(401);
    advance(MINUTE_MS);
    expectSuccess(await elsewhere().signIn(email, password), 201);
  });

  it('attempts to sign in store no e-mail address', async () => {
    const { email } = newUser();
    await elsewhere().signIn(email, 'wrong password');
    const rows: { row: string }[] = await app.dataSource.query(
      'SELECT sign_in_attempts::text AS row FROM sign_in_attempts',
    );
    const text = rows.map(({ row }) => row).join('\n');
    expect(text).not.toContain(email);
    expect(text).not.toContain(Buffer.from(email).toString('hex'));
  });
});

describe('signing up', () => {
  it('signing up is closed in production, and if the operator closes it', async () => {
    for (const [name, value] of [
      ['NODE_ENV', 'production'],
      ['SIGNUP', 'closed'],
    ] as const) {
      const environment = { [name]: value };
      const closed = await startTestApp({ databaseUrl: database.url, environment });
      const browser = new Browser(closed.origin);
      expect((await browser.state()).signUp).toBe('closed');
      expectFailure(await browser.send('POST', '/users', newUser()), 403, 'FORBIDDEN');
      await closed.close();
    }
    expect((await elsewhere().state()).signUp).toBe('open');
  });

  it('signing up creates one user when many requests send one e-mail address at once', async () => {
    const wanted = newUser();
    const responses = await Promise.all(
      [1, 2, 3, 4].map(() => elsewhere().send('POST', '/users', wanted)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  it('signing up does not take over a user that the operator created', async () => {
    const { user: made } = await app.account();
    const response = await elsewhere().send('POST', '/users', { ...newUser(), email: made.email });
    expectFailure(response, 409, 'INVALID_REQUEST');
  });

  it('signing up reports every problem at once', async () => {
    const wrong = { email: 'nobody', name: ' ', password: 'short', plan: 'pro' };
    const response = await elsewhere().send('POST', '/users', wrong);
    expectFailure(response, 400, 'INVALID_REQUEST');
    const { details } = (response.body as { error: { details: { problems: { field: string }[] } } })
      .error;
    expect(details.problems.map(({ field }) => field)).toEqual(['name', 'password', 'plan']);
    const email = await elsewhere().send('POST', '/users', { ...newUser(), email: 'nobody' });
    expectFailure(email, 400, 'INVALID_REQUEST');
  });
});

describe('a password', () => {
  it('a password is stored as an argon2id hash', async () => {
    const { password } = await user();
    const rows: { hash: string }[] = await app.dataSource.query(
      'SELECT password_hash AS hash FROM user_credentials',
    );
    for (const { hash } of rows) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(JSON.stringify(rows)).not.toContain(password);
  });

  it('a password can be any text, however a keyboard encodes it', async () => {
    const wanted = { ...newUser(), password: 'Zoe\u0308 liest 🐎 gern' };
    await elsewhere().signUp(wanted);
    expectSuccess(await elsewhere().signIn(wanted.email, 'Zo\u00eb liest 🐎 gern'), 201);
    const longest = { ...newUser(), password: 'x'.repeat(200) };
    await elsewhere().signUp(longest);
    expect((await elsewhere().signIn(longest.email, 'x'.repeat(199))).status).toBe(401);
    expectSuccess(await elsewhere().signIn(longest.email, longest.password), 201);
  });

  it('a password is changed by someone who knows it, and all other sessions end on every replica', async () => {
    const { email, password } = await user();
    const [browser, other] = [elsewhere(), elsewhere()];
    for (const one of [browser, other]) expectSuccess(await one.signIn(email, password), 201);
    const newPassword = 'a new password';
    for (const currentPassword of [undefined, 'wrong password']) {
      const body = { ...(currentPassword && { currentPassword }), newPassword };
      const refused = await browser.send('POST', '/user/password', body);
      expectFailure(refused, 400, 'INVALID_REQUEST');
    }
    const changed = await browser.send('POST', '/user/password', {
      currentPassword: password,
      newPassword,
    });
    expect(changed.status).toBe(204);
    expect((await browser.state()).user?.email).toBe(email);
    expect((await other.at(replica.origin).state()).user).toBeNull();
    expect((await elsewhere().signIn(email, password)).status).toBe(401);
    expectSuccess(await elsewhere().signIn(email, newPassword), 201);
  });
});

describe('a person', () => {
  it('a person reads and changes their own name', async () => {
    const made = await user();
    const browser = elsewhere();
    expectSuccess(await browser.signIn(made.email, made.password), 201);
    expect(expectSuccess(await browser.send('GET', '/user'))).toMatchObject({ name: made.name });
    const changed = await browser.send('PATCH', '/user', { name: ' Grace Hopper ' });
    expect(expectSuccess(changed)).toMatchObject({ name: 'Grace Hopper', email: made.email });
    expect((await browser.state()).user?.name).toBe('Grace Hopper');
    for (const body of [
      { name: '' },
      { name: 5 },
      { name: 'two\nlines' },
      {},
      { email: 'x@example.com' },
    ]) {
      expectFailure(await browser.send('PATCH', '/user', body), 400, 'INVALID_REQUEST');
    }
    expectFailure(await elsewhere().send('GET', '/user'), 401, 'UNAUTHORIZED');
  });

  it('a person is in the audit log of the account for these changes', async () => {
    const made = newUser();
    const browser = elsewhere();
    const { accounts } = await browser.signUp(made);
    await browser.send('POST', '/user/password', {
      currentPassword: made.password,
      newPassword: 'a new password',
    });
    await browser.send('DELETE', '/sessions');
    await browser.send('DELETE', '/session');
    expectSuccess(await browser.signIn(made.email, 'a new password'), 201);
    const path = `/accounts/${accounts[0]?.id ?? ''}/v1/audit?resourceType=user`;
    const entries = expectSuccess(await browser.send('GET', path)) as {
      action: string;
      details: unknown;
    }[];
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['user.sign_in', { how: 'password' }],
      ['user.sign_out', {}],
      ['user.end_sessions', {}],
      ['user.change_password', {}],
      ['user.sign_in', { how: 'sign-up' }],
    ]);
    expect(JSON.stringify(entries)).not.toContain(made.password);
  });
});
