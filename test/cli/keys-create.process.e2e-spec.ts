import { LIMITABLE_SCOPES } from '../../src/features/auth/scopes.js';
import { encodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { newCollection } from '../collections/collections-api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { expectRefusal, printed, runCli, type CliRun } from './run-cli.js';

interface Created {
  key: string;
  keyId: string;
  accountId: string;
  userId: string;
}

let app: TestApp;
let environment: { DATABASE_URL: string };
beforeAll(async () => {
  app = await startTestApp({ stopClock: false });
  environment = { DATABASE_URL: (app.dataSource.options as { url: string }).url };
});
afterAll(() => app.close());

const created = (run: CliRun) => printed(run) as Created;
const createKey = (...options: string[]) => runCli(environment, 'keys', 'create', ...options);

describe('keys create', () => {
  it('keys create prints one line of JSON with the key and the IDs of key, account and user', async () => {
    const run = await createKey('--email', 'Ada.Lovelace@Example.com', '--json');
    expect(created(run)).toEqual({
      key: expect.stringMatching(/^ds_live_[0-9A-Za-z]{38}$/) as string,
      keyId: expect.stringMatching(/^key_[0-7][0-9a-z]{25}$/) as string,
      accountId: expect.stringMatching(/^acct_[0-7][0-9a-z]{25}$/) as string,
      userId: expect.stringMatching(/^user_[0-7][0-9a-z]{25}$/) as string,
    });
    expect(run.stderr).toBe('');
  });

  it('keys create creates a key that works with the running service, with the requested user, plan and scopes', async () => {
    const { key, userId } = created(
      await createKey(
        ...['--email', 'grace@example.com', '--name', 'Grace Hopper', '--plan', 'plus'],
        ...['--scopes', 'documents:read,documents:write', '--json'],
      ),
    );
    const response = await app.api(key).createDocument({ title: 'Compilers' });
    expect(expectSuccess(response, 201)).toMatchObject({
      createdBy: { id: userId, name: 'Grace Hopper', email: 'grace@example.com' },
    });
    expect(response.headers['x-ratelimit-limit']).toBe('60');
    expectFailure(await app.api(key).listEvents(), 403, 'FORBIDDEN');
  });

  it('keys create creates a Free account named after the e-mail and a key for all scopes by default', async () => {
    const { key } = created(await createKey('--email', 'alan@example.com', '--json'));
    const response = await app.api(key).createDocument({ title: 'Machines' });
    expect(expectSuccess(response, 201)).toMatchObject({ createdBy: { name: 'alan' } });
    expect(response.headers['x-ratelimit-limit']).toBe('10');
    const keys = await app.api(key).send('GET', '/v1/keys');
    expect(keys.body.data).toMatchObject([{ name: 'API key', scopes: ['*'], expiresAt: null }]);
  });

  it('keys create creates more keys for a known user, however the e-mail is spelled', async () => {
    const first = created(await createKey('--email', 'mary@example.com', '--json'));
    const run = await createKey('--email', 'MARY@example.com', '--name', 'Other', '--json');
    const { key, keyId, ...owner } = created(run);
    expect(owner).toEqual({ accountId: first.accountId, userId: first.userId });
    expect([key, keyId]).not.toEqual([first.key, first.keyId]);
    expect(JSON.parse(run.stderr)).toEqual({
      remark: 'mary@example.com already has the name mary; it was not changed.',
    });
  });

  it('keys create creates one user and one account when many create a key for one new e-mail at once', async () => {
    const runs = await Promise.all(
      Array.from({ length: 6 }, () => createKey('--email', 'new@example.com', '--json')),
    );
    const made = runs.map(created);
    expect(new Set(made.map(({ userId }) => userId)).size).toBe(1);
    expect(new Set(made.map(({ accountId }) => accountId)).size).toBe(1);
    expect(new Set(made.map(({ key }) => key)).size).toBe(6);
    const [{ accounts }] = await app.dataSource.query<[{ accounts: number }]>(
      "SELECT count(*)::int AS accounts FROM accounts WHERE name = 'new'",
    );
    expect(accounts).toBe(1);
  });

  it('keys create creates a key that expires', async () => {
    const before = Date.now();
    const { key, keyId } = created(
      await createKey('--email', 'edsger@example.com', '--expires', '30d', '--json'),
    );
    const { expiresAt } = expectSuccess(await app.api(key).send('GET', `/v1/keys/${keyId}`)) as {
      expiresAt: string;
    };
    const lifetime = Date.parse(expiresAt) - before;
    expect(lifetime).toBeGreaterThanOrEqual(30 * 86_400_000);
    expect(lifetime).toBeLessThan(30 * 86_400_000 + 60_000);
  });

  it('keys create never changes the plan of an existing account implicitly', async () => {
    const { accountId } = created(
      await createKey('--email', 'donald@example.com', '--plan', 'plus', '--json'),
    );
    const options = ['--email', 'donald@example.com', '--json'];
    expectRefusal(
      await createKey(...options, '--plan', 'pro'),
      new RegExp(`on the plan plus; .*npm run -s cli -- accounts plan ${accountId} pro`),
    );
    printed(await createKey(...options, '--plan', 'plus'));
    printed(await createKey(...options));
  });

  it('keys create refuses an expiry that has passed', async () => {
    const run = await createKey('--email', 'late@example.com', '--expires', '2020-01-01');
    expectRefusal(run, /^--expires must be in the future/);
  });

  it('keys create limits a key to collections of the account, with all scopes that such a key can have', async () => {
    const { accountId, api } = await app.account();
    const reports = await newCollection(api);
    const account = ['--account', encodeId('account', accountId)];
    const { key } = created(await createKey(...account, '--collection', reports.id, '--json'));
    expect(expectSuccess(await app.api(key).send('GET', '/v1/me'))).toMatchObject({
      key: { collections: [reports.id] },
      scopes: [...LIMITABLE_SCOPES],
    });
    const foreign = await newCollection((await app.account()).api);
    expectRefusal(
      await createKey(...account, '--collection', reports.id, foreign.id),
      /collections\[1\].* is not a collection/,
    );
    expectRefusal(
      await createKey(...account, '--collection', reports.id, '--scopes', '*'),
      /scopes.* contains \*/,
    );
    const other = await createKey('--email', 'ada@example.com', '--collection', reports.id);
    expect(other.stderr).toContain('--collection');
    expect(other.exitCode).not.toBe(0);
  });

  it('keys create prints the key on a separate line without --json', async () => {
    const { stdout } = await createKey('--email', 'barbara@example.com');
    expect(stdout).toMatch(/barbara@example\.com.* free.*shown only once:\nds_live_\w{38}\n$/);
  });
});
