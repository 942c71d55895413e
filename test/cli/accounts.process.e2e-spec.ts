import { encodeId } from '../../src/identifiers/identifiers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectRefusal, printed, runCli } from './run-cli.js';

let app: TestApp;
let environment: { DATABASE_URL: string };
beforeAll(async () => {
  app = await startTestApp({ stopClock: false });
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

describe('accounts list', () => {
  it('shows each account with owner, plan and limits', async () => {
    const { accountId, userId } = await createKey('--email', 'ada@example.com', '--name', 'Ada');
    expect(printed(await accounts('list', '--json'))).toContainEqual({
      id: accountId,
      name: 'Ada',
      plan: 'free',
      limits: { minute: 10, hour: 100, day: 1000 },
      owner: { id: userId, name: 'Ada', email: 'ada@example.com' },
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    });
    expect((await accounts('list')).stdout).toMatch(
      /^ID .*CREATED\n(.*\n)*acct_\w+ +Ada +ada@example\.com +free +10 a minute, 100 an hour, 1000 a day/,
    );
  });
});

describe('accounts plan', () => {
  it('holds for the next request to the running service', async () => {
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

  it('takes windows left out on Enterprise as unlimited, and forgets earlier numbers', async () => {
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

  it('refuses numbers on other plans, unknown plans and unknown accounts', async () => {
    const { accountId } = await createKey('--email', 'mary@example.com');
    expectRefusal(
      await accounts('plan', accountId, 'pro', '--minute', '5', '--day', '9'),
      /minute goes only with the plan enterprise.*; day goes only/,
    );
    expectRefusal(await accounts('plan', accountId, 'gold'), /free, plus, pro, enterprise/);
    expectRefusal(
      await accounts('plan', accountId, 'enterprise', '--minute', '0'),
      /whole number from 1/,
    );
    expectRefusal(
      await accounts('plan', accountId, 'enterprise', '--minute', '9999999999'),
      /minute must be a whole number from 1 to 2147483647/,
    );
    for (const unknown of ['acct_nonsense', encodeId('account', crypto.randomUUID())]) {
      expectRefusal(await accounts('plan', unknown, 'pro'), /^No such account\./);
    }
    expect(await limitsOf(accountId)).toEqual({ minute: 10, hour: 100, day: 1000 });
  });
});
