import { Config } from '../../src/platform/config/config.js';
import { decodeId, encodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { FROM_EVERYWHERE, signUpAs } from '../dashboard/people.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { expectRefusal, printed, runCli } from './run-cli.js';

/** Each command starts a new process. */
jest.setTimeout(240_000);

let app: TestApp;
let environment: { DATABASE_URL: string };
beforeAll(async () => {
  const roles = { ...FROM_EVERYWHERE, PROCESS_ROLE: 'all' };
  app = await startTestApp({ stopClock: false, environment: roles });
  environment = { DATABASE_URL: (app.dataSource.options as { url: string }).url };
});
afterAll(() => app.close());

const accounts = (...args: string[]) => runCli(environment, 'accounts', ...args);
const createKey = async (...args: string[]) =>
  printed(await runCli(environment, 'keys', 'create', '--json', ...args)) as {
    key: string;
    accountId: string;
    userId: string;
  };

interface Listed {
  id: string;
  limits: Record<string, number | null>;
}

async function limitsOf(id: string): Promise<Listed['limits'] | undefined> {
  const listed = printed(await accounts('list', '--json')) as Listed[];
  return listed.find((account) => account.id === id)?.limits;
}

it('accounts list shows each account with owner, plan and limits', async () => {
  const { accountId, userId } = await createKey('--email', 'ada@example.com', '--name', 'Ada');
  expect(printed(await accounts('list', '--json'))).toContainEqual({
    id: accountId,
    name: 'Ada',
    plan: 'free',
    limits: { minute: 10, hour: 100, day: 1000 },
    owner: { id: userId, name: 'Ada', email: 'ada@example.com' },
    suspendedAt: null,
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
  });
  expect((await accounts('list')).stdout).toMatch(
    /^ID .*CREATED\n(.*\n)*acct_\w+ +Ada +ada@example\.com +free +10 a minute, 100 an hour, 1000 a day/,
  );
});

describe('accounts plan', () => {
  it('accounts plan applies to the next request to the running service', async () => {
    const { key, accountId } = await createKey('--email', 'grace@example.com');
    const limit = async () => (await app.api(key).listDocuments()).headers['x-ratelimit-limit'];
    expect(await limit()).toBe('10');
    const { stdout } = await accounts('plan', accountId, 'pro');
    expect(stdout).toBe(
      `${accountId} is on the plan pro: 300 a minute, 5000 an hour, 50000 a day.\n`,
    );
    expect(await limit()).toBe('300');
    await accounts('plan', accountId, 'enterprise', '--minute', '7', '--day', '70');
    expect(await limit()).toBe('7');
  });

  it('accounts plan treats omitted windows on Enterprise as unlimited, and drops earlier limits', async () => {
    const { accountId } = await createKey('--email', 'alan@example.com');
    await accounts('plan', accountId, 'enterprise', '--hour', '5');
    expect(await limitsOf(accountId)).toEqual({ minute: null, hour: 5, day: null });
    await accounts('plan', accountId, 'enterprise');
    expect(await limitsOf(accountId)).toEqual({ minute: null, hour: null, day: null });
    await accounts('plan', accountId, 'enterprise', '--hour', '5');
    await accounts('plan', accountId, 'plus');
    await accounts('plan', accountId, 'enterprise');
    expect(await limitsOf(accountId)).toEqual({ minute: null, hour: null, day: null });
  });

  it('accounts plan refuses limits on other plans, unknown plans and unknown accounts', async () => {
    const { accountId } = await createKey('--email', 'mary@example.com');
    expectRefusal(
      await accounts('plan', accountId, 'pro', '--minute', '5', '--day', '9'),
      /--minute requires the plan enterprise.*; --day requires/,
    );
    expectRefusal(await accounts('plan', accountId, 'gold'), /free, plus, pro, enterprise/);
    expectRefusal(
      await accounts('plan', accountId, 'enterprise', '--minute', '0'),
      /whole number from 1 to 2147483647/,
    );
    expectRefusal(
      await accounts('plan', accountId, 'enterprise', '--minute', '9999999999'),
      /--minute <n>' argument '9999999999' is invalid. Enter a whole number from 1 to 2147483647/,
    );
    for (const unknown of ['acct_nonsense', encodeId('account', crypto.randomUUID())]) {
      expectRefusal(await accounts('plan', unknown, 'pro'), /^No such account\./);
    }
    expect(await limitsOf(accountId)).toEqual({ minute: 10, hour: 100, day: 1000 });
  });
});

it('accounts create and rename create an account for a new or a known user, and rename it', async () => {
  const made = printed(
    await accounts(
      'create',
      '--email',
      'Jo@Example.com',
      '--name',
      'Jo & Co',
      '--plan',
      'pro',
      '--json',
    ),
  ) as { id: string; owner: { id: string } };
  expect(made).toMatchObject({
    name: 'Jo & Co',
    plan: 'pro',
    owner: { email: 'jo@example.com' },
  });
  const second = printed(await accounts('create', '--email', 'jo@example.com', '--json'));
  expect(second).toMatchObject({ name: 'jo', plan: 'free', owner: { id: made.owner.id } });
  const keyOf = await runCli(environment, 'keys', 'create', '--account', made.id, '--json');
  expect(printed(keyOf)).toMatchObject({ accountId: made.id, userId: made.owner.id });
  const listed = printed(await runCli(environment, 'keys', 'list', '--account', made.id, '--json'));
  expect(listed).toHaveLength(1);
  expect((await accounts('rename', made.id, 'Jo Ltd')).stdout).toBe(
    `Renamed ${made.id} to Jo Ltd.\n`,
  );
  expectRefusal(await accounts('rename', made.id, ' '), /^<name> must have 1 to 200 characters/);
  expectRefusal(await accounts('rename', 'acct_x', 'Jo'), /^No such account\./);
});

describe('accounts suspend', () => {
  it('accounts suspend refuses keys and people with a message, immediately and on every replica, until resume', async () => {
    const replica = await startTestApp({ databaseUrl: environment.DATABASE_URL, stopClock: false });
    const { browser, accountId } = await signUpAs(app);
    await app.dataSource.query('UPDATE users SET email_verified_at = now()');
    const { key } = printed(
      await runCli(environment, 'keys', 'create', '--account', accountId, '--json'),
    ) as { key: string };
    const person = () => browser.send('GET', `/accounts/${accountId}/v1/documents`);
    expectSuccess(await app.api(key).listDocuments());
    const suspended = printed(await accounts('suspend', accountId, '--json'));
    expect(suspended).toMatchObject({ suspendedAt: expect.stringMatching(/Z$/) as string });
    const responses = [await app.api(key).listDocuments(), await replica.api(key).listDocuments()];
    for (const response of [...responses, await person()]) {
      expectFailure(response, 403, 'FORBIDDEN');
      expect(JSON.stringify(response.body)).toMatch(
        /"This account is suspended: .* Ask the operator/,
      );
    }
    expect((await accounts('list')).stdout).toMatch(new RegExp(`^${accountId} .* suspended `, 'm'));
    expect((await accounts('resume', accountId)).stdout).toBe(`${accountId} is active.\n`);
    expectSuccess(await app.api(key).listDocuments());
    expectSuccess(await replica.api(key).listDocuments());
    expectSuccess(await person());
    await replica.close();
  });

  it('accounts suspend holds deliveries, which are sent after resume', async () => {
    const receiver = await WebhookReceiver.start();
    const { key, accountId: id } = await createKey('--email', 'waits@example.com');
    const accountId = decodeId('account', id);
    const wanted = { url: receiver.url, events: ['*'] };
    expectSuccess(await app.api(key).registerWebhook(wanted), 201);
    const { api: others } = await app.account();
    printed(await accounts('suspend', id, '--json'));
    // Work for it that is planned meanwhile, such as by a running import.
    await app.dataSource.query(
      `INSERT INTO webhook_deliveries (id, account_id, event_id, webhook_id, event_type, next_attempt_at, created_at)
       SELECT gen_random_uuid(), account_id, gen_random_uuid(), id, 'document.created', clock_timestamp(), now()
         FROM webhooks WHERE account_id = $1`,
      [accountId],
    );
    await app.dataSource.query(`NOTIFY webhook_deliveries, ''`);
    expectSuccess(await others.registerWebhook({ url: receiver.url, events: ['*'] }), 201);
    expectSuccess(await others.createDocument({ title: 'Of another account' }), 201);
    await eventually(
      () => receiver.received.length,
      (count) => count === 1,
    );
    const states = () =>
      app.dataSource.query<{ status: string }[]>(
        'SELECT status FROM webhook_deliveries WHERE account_id = $1',
        [accountId],
      );
    expect(await states()).toEqual([{ status: 'pending' }]);
    printed(await accounts('resume', id, '--json'));
    await eventually(states, ([delivery]) => delivery?.status !== 'pending');
    await receiver.close();
  });
});

it('accounts delete asks for the name or requires --yes, and ends keys and people', async () => {
  const { key, accountId } = await createKey('--email', 'gone@example.com');
  expectRefusal(await accounts('delete', accountId), /cannot be undone.* add --yes/);
  expectSuccess(await app.api(key).listDocuments());
  expect(printed(await accounts('delete', accountId, '--yes', '--json'))).toEqual({
    id: accountId,
    deleted: true,
  });
  expectFailure(await app.api(key).listDocuments(), 401, 'UNAUTHORIZED');
  expectRefusal(await accounts('delete', accountId, '--yes'), /^No such account\./);
});

describe('members', () => {
  const members = (...args: string[]) => runCli(environment, 'members', ...args);

  it('members are added, listed, given other roles and removed, but never the only owner', async () => {
    const { accountId } = await createKey('--email', 'owner@team.example');
    const added = printed(await members('add', accountId, 'new@team.example', '--json'));
    expect(added).toMatchObject({ email: 'new@team.example', role: 'member', twoFactor: false });
    expectRefusal(
      await members('add', accountId, 'new@team.example'),
      /already belongs to the account/,
    );
    const role = await members('role', accountId, 'new@team.example', 'admin');
    expect(role.stdout).toBe(`new@team.example now has the role admin in ${accountId}.\n`);
    expectRefusal(await members('role', accountId, 'owner@team.example', 'viewer'), /only owner/);
    expectRefusal(await members('remove', accountId, 'owner@team.example'), /only owner/);
    await members('role', accountId, 'new@team.example', 'owner');
    await members('remove', accountId, 'owner@team.example', '--revoke-keys');
    expect((await members('list', accountId)).stdout).toMatch(
      /^ID .*\nuser_\w+ +new@team\.example +yes +new +owner +off +- +\S+\n$/,
    );
    expectRefusal(
      await members('remove', accountId, 'nobody@team.example'),
      /^There is no such member\. .*members list acct_/,
    );
    const keys = printed(
      await runCli(environment, 'keys', 'list', '--account', accountId, '--json'),
    );
    expect(keys).toMatchObject([{ revokedAt: expect.stringMatching(/Z$/) as string }]);
  });
});

it('webhooks list shows the webhooks of all accounts, or of one, without their secrets', async () => {
  const { key, accountId: id } = await createKey('--email', 'listed@example.com');
  const url = 'https://hooks.example.com/listed';
  expectSuccess(await app.api(key).registerWebhook({ url, events: ['document.*'] }), 201);
  const one = await runCli(environment, 'webhooks', 'list', '--account', id, '--json');
  expect(printed(one)).toMatchObject([{ url, accountId: id, status: 'active' }]);
  expect(one.stdout).not.toMatch(/"secret"/);
  expect((await runCli(environment, 'webhooks', 'list')).stdout).toContain(url);
});

describe('doctor', () => {
  interface Report {
    ok: boolean;
    findings: { check: string; state: string; text: string }[];
  }
  const doctor = async (variables: Record<string, string>) => {
    const run = await runCli({ PORT: '0', ...variables }, 'doctor', '--json');
    return { exitCode: run.exitCode, ...(JSON.parse(run.stdout) as Report) };
  };
  const secretsKey = () => app.app.get(Config).secretsKey.toString('base64');

  it('doctor finds nothing wrong with a database that is served, and prints a line for each check', async () => {
    const { exitCode, ok, findings } = await doctor({ ...environment, SECRETS_KEY: secretsKey() });
    expect(findings.filter(({ state }) => state === 'failure')).toEqual([]);
    expect([exitCode, ok]).toEqual([0, true]);
    expect([...new Set(findings.map(({ check }) => check))]).toEqual([
      'configuration',
      'database',
      'disk',
      'port',
      'mail',
      'sign-in',
      'model',
      'webhooks',
    ]);
    const served = { PORT: '0', ...environment, SECRETS_KEY: secretsKey() };
    const text = (await runCli(served, 'doctor')).stdout;
    expect(text).toMatch(
      /^(?:(?:ok|warning|failure) +[\w-]+ +\S.*\n)+0 failures, \d+ warnings?\.\n$/,
    );
  });

  it('doctor works if nothing is configured and nothing was started', async () => {
    const { exitCode, findings } = await doctor({ DATA_DIR: '/tmp/no-such-data-folder' });
    expect(exitCode).toBe(0);
    expect(findings).toContainEqual({
      check: 'database',
      state: 'warning',
      text: expect.stringMatching(/^There is no database in the data folder/) as string,
    });
  });

  it('doctor reports a data folder that is not one', async () => {
    const { exitCode, findings } = await doctor({ DATA_DIR: '/etc/hostname' });
    expect(exitCode).toBe(1);
    expect(findings).toContainEqual({
      check: 'disk',
      state: 'failure',
      text: '/etc/hostname is a file, not a folder: correct DATA_DIR.',
    });
  });

  it('doctor says how to fix each problem, and exits with 1', async () => {
    const { exitCode, ok, findings } = await doctor({
      DATABASE_URL: 'postgres://localhost:1/none',
      SECRETS_KEY: secretsKey(),
      REDIS_URL: 'redis://localhost:1',
      PUBLIC_URL: 'https://documents.example.com',
      SMTP_URL: 'smtp://localhost:1',
      OIDC_ISSUER: 'http://localhost:1',
      OIDC_CLIENT_ID: 'x',
      OIDC_CLIENT_SECRET: 'x',
      AI_MODEL: 'x',
      AI_BASE_URL: 'http://localhost:1/v1',
      WEBHOOK_ALLOWED_NETWORKS: '0.0.0.0/0',
      PORT: String(app.port),
    });
    expect([exitCode, ok]).toEqual([1, false]);
    const texts = Object.fromEntries(
      findings.map(({ check, state, text }) => [check, `${state} ${text}`]),
    );
    expect(texts).toMatchObject({
      database: expect.stringMatching(/^failure .*correct DATABASE_URL/) as string,
      port: expect.stringMatching(/^(ok|warning) A service is running/) as string,
      mail: expect.stringMatching(/^failure .*correct SMTP_URL/) as string,
      'sign-in': expect.stringMatching(/^failure .*correct OIDC_ISSUER/) as string,
      model: expect.stringMatching(/^failure .*correct AI_BASE_URL/) as string,
      webhooks: expect.stringMatching(/^warning WEBHOOK_ALLOWED_NETWORKS allows every/) as string,
    });
    expect(findings.filter(({ check }) => check === 'configuration')).toEqual([
      {
        check: 'configuration',
        state: 'ok',
        text: expect.stringMatching(/^Valid/) as string,
      },
      {
        check: 'configuration',
        state: 'warning',
        text: 'REDIS_URL has no effect: PostgreSQL counts rate limits. Remove it.',
      },
    ]);
    const misspelled = await doctor({ WEBHOOK_ALLOWED_NETWORK: '10.0.0.0/8' });
    expect(misspelled.exitCode).toBe(1);
    expect(misspelled.findings).toContainEqual({
      check: 'configuration',
      state: 'failure',
      text: expect.stringMatching(/rename it to WEBHOOK_ALLOWED_NETWORKS/) as string,
    });
    const wrong = await doctor({ PORT: 'eighty', LOG_LEVEL: 'loud' });
    expect(wrong.exitCode).toBe(1);
    expect(
      wrong.findings.filter(({ check, state }) => check === 'configuration' && state === 'failure'),
    ).toHaveLength(2);
    // There is no finding if the state is unknown.
    expect(wrong.findings.filter(({ check }) => check === 'mail')).toEqual([]);
  });
});
