import { startTestApp, type TestApp } from '../support/app.js';
import { Browser, newUser, type NewUser } from '../support/browser.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

let database: TestDatabase;
let app: TestApp;
beforeAll(async () => {
  database = await createTestDatabase();
  const options = { databaseUrl: database.url, environment: { TRUST_PROXY: 'loopback' } };
  app = await startTestApp(options);
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

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

it('a wrong password takes as long as an unknown e-mail address', async () => {
  const { email } = await user();
  const times = { wrong: [] as number[], unknown: [] as number[] };
  const time = async (kind: keyof typeof times, address: string) => {
    const begun = performance.now();
    await elsewhere().signIn(address, 'wrong password');
    times[kind].push(performance.now() - begun);
  };
  for (let round = 0; round < 9; round += 1) {
    await time('wrong', email);
    await time('unknown', newUser().email);
  }
  // The fastest of each, because other load only adds time.
  const [wrong, unknown] = [Math.min(...times.wrong), Math.min(...times.unknown)];
  // Without a hash for unknown people, it would be a few milliseconds against the time of a hash.
  expect(unknown / wrong).toBeGreaterThan(0.3);
  expect(unknown / wrong).toBeLessThan(3);
});

describe('attempts to sign in', () => {
  it('attempts to sign in are stopped for an unknown e-mail address in the same way', async () => {
    const { email } = newUser();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 11; attempt += 1) {
      statuses.push((await elsewhere().signIn(email, 'wrong password')).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
  });

  it('attempts to sign in are stopped for an address after thirty failures, whatever the e-mail', async () => {
    const { email, password } = await user();
    const browser = elsewhere();
    for (let attempt = 0; attempt < 30; attempt += 1) {
      expect((await browser.signIn(newUser().email, 'wrong password')).status).toBe(401);
    }
    expectFailure(await browser.signIn(email, password), 429, 'RATE_LIMIT_EXCEEDED');
    expectSuccess(await elsewhere().signIn(email, password), 201);
  });

  it('attempts to sign in are stopped even when all arrive at once', async () => {
    const { email } = await user();
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => elsewhere().signIn(email, 'wrong password')),
    );
    const refused = responses.filter(({ status }) => status === 401);
    expect(refused).toHaveLength(10);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  it('attempts to sign in that succeed are not counted', async () => {
    const { email, password } = await user();
    const browser = elsewhere();
    for (let attempt = 0; attempt < 12; attempt += 1) {
      expect((await browser.signIn(email, password)).status).toBe(201);
    }
  });

  it('attempts to sign in beyond the hashing capacity are refused with a sentence, and the service continues', async () => {
    const responses = Promise.all(
      Array.from({ length: 70 }, () => elsewhere().signIn(newUser().email, 'wrong password')),
    );
    const { email, password } = newUser();
    expect((await app.api().send('GET', '/health/live')).status).toBe(200);
    const statuses = (await responses).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401, 503]));
    const turnedAway = (await responses).find(({ status }) => status === 503);
    if (turnedAway) expectFailure(turnedAway, 503, 'INTERNAL_ERROR');
    expect(turnedAway?.headers['retry-after']).toBe('3');
    const again = await elsewhere().send('POST', '/users', { email, password, name: 'Ada' });
    expectSuccess(again, 201);
  });
});

it('a password cannot be guessed by someone who finds a browser open', async () => {
  const { email, password } = await user();
  const browser = elsewhere();
  expectSuccess(await browser.signIn(email, password), 201);
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 11; attempt += 1) {
    const body = { currentPassword: `guess ${String(attempt)}`, newPassword: 'mine from now' };
    statuses.push((await browser.send('POST', '/user/password', body)).status);
  }
  expect(statuses).toEqual([...Array<number>(10).fill(400), 429]);
});
