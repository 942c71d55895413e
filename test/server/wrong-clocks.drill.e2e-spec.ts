import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { request } from 'undici';
import { freePort } from '@document-service/embedded-postgres/free-port';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { KeysApi } from '../keys/keys-api.js';
import { makeAccount, type TestAccount } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { Browser, newUser } from '../support/browser.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { startOidcProvider, type OidcProvider } from '../support/oidc-provider.js';
import { openTestDatabase } from '../support/postgres.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import {
  respondWith,
  inTurn,
  WebhookReceiver,
  type Behaviour,
} from '../support/webhook-receiver.js';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * HOUR_MS;
const TOTP_STEP_MS = 30_000;
/** Longer than the poll interval of workers, so one of them would take over a delivery whose lease seems to have ended. */
const SLOW_MS = 2_500;
/** Allowed difference between processes, including the time from a request to its check on a slow machine. */
const NEAR_MS = 20_000;

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let provider: OidcProvider;
/** Two replicas of the API and two workers. The clocks of the tests and of PostgreSQL are correct. */
let ahead: ServiceProcess;
let behind: ServiceProcess;
let workers: ServiceProcess[];
let account: TestAccount;

async function start(role: string, shiftMs: number): Promise<ServiceProcess> {
  const port = String(await freePort());
  return startService({
    NODE_ENV: 'development',
    NODE_OPTIONS: `--import ${join(process.cwd(), 'test/support/shifted-clock.mjs')}`,
    CLOCK_SHIFT_MS: String(shiftMs),
    // Moves the clock as far to the other side.
    CLOCK_STEP_MS: String(-2 * shiftMs),
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: database.url,
    SECRETS_KEY,
    PROCESS_ROLE: role,
    SIGNUP: 'open',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_RETRY_SCHEDULE: '0,0.5,0.5',
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
  });
}
const SECRETS_KEY = randomBytes(32).toString('base64');

const isNear = (time: string | number | Date, expected = Date.now()) =>
  Math.abs(new Date(time).getTime() - expected) < NEAR_MS;
const apiOf = ({ origin }: ServiceProcess) => new ApiClient(origin, account.key);
/** Returns the code that an authenticator app shows, this many steps from now. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + steps * TOTP_STEP_MS,
  });

/** Both replicas in both orders: what one writes, the other checks. */
const bothWays = () => [[ahead, behind] as const, [behind, ahead] as const];

async function expectFeaturesToAgree(): Promise<void> {
  for (const [one, other] of bothWays()) {
    await signsIn(one, other);
    await limitsKeys(one, other);
    await repeats(one, other);
    await keepsTrash(one, other);
    await invites(one, other);
  }
  await runsJobs();
  await delivers();
  await signsInByProvider();
  await storesTimes();
}

/** Sessions, sign-in limits, second factors. */
async function signsIn(one: ServiceProcess, other: ServiceProcess): Promise<void> {
  const user = newUser();
  const browser = new Browser(one.origin);
  await browser.signUp(user);
  expectSuccess(await new Browser(one.origin).signIn(user.email, user.password), 201);
  const elsewhere = new Browser(other.origin);
  expectSuccess(await elsewhere.signIn(user.email, user.password), 201);
  for (const session of [browser.at(other.origin), elsewhere.at(one.origin)]) {
    expect((await session.state()).user?.email).toBe(user.email);
  }
  const begun = await browser.send('POST', '/user/two-factor', { password: user.password });
  const { secret } = expectSuccess(begun, 201) as { secret: string };
  const confirmed = { code: codeOf(secret) };
  expectSuccess(await browser.at(other.origin).send('POST', '/user/two-factor/confirm', confirmed));
  const refused = await new Browser(other.origin).signIn(user.email, user.password, '000000');
  expectFailure(refused, 401, 'UNAUTHORIZED');
  // A code works once. The code of the next half minute is already accepted.
  const signedIn = await new Browser(other.origin).signIn(
    user.email,
    user.password,
    codeOf(secret, 1),
  );
  expectSuccess(signedIn, 201);
}

/** Expiry of keys, grace of rotations, windows of rate limits. */
async function limitsKeys(one: ServiceProcess, other: ServiceProcess): Promise<void> {
  const keys = new KeysApi(apiOf(one));
  const expiresAt = new Date(Date.now() + 30 * MINUTE_MS).toISOString();
  const key = await keys.made({ expiresAt });
  const { key: fresh } = await keys.rotated(key.id, { gracePeriodSeconds: 600 });
  for (const { origin } of [one, other]) {
    for (const valid of [key.key, fresh]) {
      expectSuccess(await new ApiClient(origin, valid).listDocuments());
    }
  }
  const past = {
    name: 'Past',
    scopes: ['documents:read'],
    expiresAt: new Date(Date.now() - MINUTE_MS),
  };
  expectFailure(await keys.create(past), 400, 'INVALID_REQUEST');
  const limited = await makeAccount(database.dataSource, { plan: 'plus' });
  const { headers } = await new ApiClient(one.origin, limited.key).listDocuments();
  const reset = Number(headers['x-ratelimit-reset']);
  expect(reset * 1000 - Date.now()).toBeGreaterThan(-NEAR_MS);
  expect(reset * 1000 - Date.now()).toBeLessThan(MINUTE_MS + NEAR_MS);
}

/** Idempotency records. */
async function repeats(one: ServiceProcess, other: ServiceProcess): Promise<void> {
  const key = { 'Idempotency-Key': randomBytes(8).toString('hex') };
  const body = { title: 'Once' };
  const made = await apiOf(one).createDocument(body, key);
  const { id, createdAt } = expectSuccess(made, 201) as { id: string; createdAt: string };
  expect(isNear(createdAt)).toBe(true);
  const again = await apiOf(other).createDocument(body, key);
  expect([again.headers['idempotency-replayed'], again.body.data.id]).toEqual(['true', id]);
  // An id starts with its time.
  expect(isNear(parseInt((decodeId('document', id) ?? '').replace('-', '').slice(0, 12), 16))).toBe(
    true,
  );
}

async function keepsTrash(one: ServiceProcess, other: ServiceProcess): Promise<void> {
  const made = await apiOf(one).createDocument({ title: 'Kept' });
  const { id } = expectSuccess(made, 201) as { id: string };
  const deleted = expectSuccess(await apiOf(one).deleteDocument(id)) as { restorableUntil: string };
  expect(isNear(deleted.restorableUntil, Date.now() + 30 * DAY_MS)).toBe(true);
  expectSuccess(await apiOf(other).restoreDocument(id));
}

/** Invitations, which are one-time links like those for new passwords; test receivers. */
async function invites(one: ServiceProcess, other: ServiceProcess): Promise<void> {
  const owner = new Browser(one.origin);
  const { accounts } = await owner.signUp();
  const path = `/accounts/${accounts[0]?.id ?? ''}`;
  const guest = newUser();
  const invited = await owner.send('POST', `${path}/invitations`, {
    email: guest.email,
    role: 'member',
  });
  const { url, link } = expectSuccess(invited, 201) as { url?: string; link?: string };
  const token = new URL(url ?? link ?? '').hash.replace(/^#(token=)?/, '');
  const browser = new Browser(other.origin);
  expectSuccess(await browser.send('POST', '/links/preview', { token }));
  const receiver = expectSuccess(
    await owner.at(other.origin).send('POST', `${path}/receivers`),
    201,
  ) as { expiresAt: string };
  expect(new Date(receiver.expiresAt).getTime()).toBeGreaterThan(Date.now() + NEAR_MS);
}

/** Leases of jobs, files of results. */
async function runsJobs(): Promise<void> {
  const ordered = expectSuccess(await apiOf(ahead).exportAccount(), 202) as { id: string };
  const job = await eventually(
    async () =>
      expectSuccess(await apiOf(behind).readJob(ordered.id)) as {
        status: string;
        finishedAt: string;
      },
    ({ status }) => status === 'succeeded',
  );
  expect(isNear(job.finishedAt)).toBe(true);
  expect((await apiOf(behind).readJobResult(ordered.id)).status).toBe(200);
}

/** Retry schedules, leases, times in signatures, and both secrets while a rotation overlaps. */
async function delivers(): Promise<void> {
  const slowly: Behaviour = (_, response) =>
    setTimeout(() => response.writeHead(204).end(), SLOW_MS);
  const receiver = await WebhookReceiver.start(inTurn(respondWith(500), slowly));
  const registered = await apiOf(ahead).registerWebhook({
    url: receiver.url,
    events: ['document.created'],
  });
  const { id } = expectSuccess(registered, 201) as { id: string };
  expectSuccess(await apiOf(ahead).rotateSecret(id));
  expectSuccess(await apiOf(behind).createDocument({ title: 'Delivered' }), 201);
  const [first, second] = await receiver.gets(2);
  for (const delivery of [first, second]) {
    expect(isNear(Number(delivery?.headers['webhook-timestamp']) * 1000)).toBe(true);
    expect(delivery?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    expect(isNear(String(delivery?.event.timestamp))).toBe(true);
  }
  const [delivery] = await eventually(
    async () =>
      expectSuccess(await apiOf(behind).listDeliveries(id)) as {
        status: string;
        completedAt: string;
      }[],
    ([one]) => one?.status === 'succeeded',
  );
  expect(isNear(String(delivery?.completedAt))).toBe(true);
  expect(receiver.received).toHaveLength(2);
  expectSuccess(await apiOf(ahead).deleteWebhook(id));
  await receiver.close();
}

/** Sign-in attempts at a provider, and times in its tokens. */
async function signsInByProvider(): Promise<void> {
  for (const { origin } of [ahead, behind]) {
    provider.person = { email: newUser().email, email_verified: true };
    const browser = new Browser(origin);
    const started = await browser.send('GET', '/oidc/start');
    const { headers, body } = await request(String(started.headers['location']));
    await body.dump();
    const { pathname, search } = new URL(String(headers['location']));
    expect((await browser.request('GET', pathname + search)).headers['location']).toBe(
      '/dashboard/',
    );
  }
}

/**
 * Every stored time of a past event is near. Times in the future are not checked here, nor `database_clock`: its only row
 * is from the migrations, which ran when the first test of the run needed a database.
 */
async function storesTimes(): Promise<void> {
  const columns = await database.dataSource.query<{ table: string; column: string }[]>(
    `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name <> 'database_clock' AND data_type = 'timestamp with time zone'
        AND column_name ~ '(created|updated|started|finished|deleted|used|seen|changed|received|revoked|noted|written)_at$'`,
  );
  expect(columns.length).toBeGreaterThan(20);
  for (const { table, column } of columns) {
    const wrong: unknown = await database.dataSource.query(
      `SELECT '${table}.${column}' AS "column", ${column} AS time FROM ${table}
        WHERE ${column} NOT BETWEEN now() - interval '15 minutes' AND now() + interval '20 seconds' LIMIT 1`,
    );
    expect(wrong).toEqual([]);
  }
}

describe('Replicas and workers an hour ahead of PostgreSQL and an hour behind it', () => {
  beforeAll(async () => {
    database = await openTestDatabase();
    provider = await startOidcProvider();
    [ahead, behind, ...workers] = await Promise.all([
      start('api', HOUR_MS),
      start('api', -HOUR_MS),
      start('worker', HOUR_MS),
      start('worker', -HOUR_MS),
    ]);
    account = await makeAccount(database.dataSource);
    // Four processes start at once, possibly on a busy machine.
  }, 180_000);
  afterAll(async () => {
    await Promise.all([ahead, behind, ...workers].map((service) => service.end()));
    await provider.close();
    await database.drop();
  });

  it('agree on every time that they compare', expectFeaturesToAgree, 180_000);

  it('Replicas with wrong clocks still agree when all of their clocks are set while they run', async () => {
    for (const service of [ahead, behind, ...workers]) service.child.kill('SIGUSR2');
    await expectFeaturesToAgree();
  }, 180_000);
});
