import { encodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { expectRefusal, printed, runCli } from './run-cli.js';

interface Rotated {
  key: string;
  keyId: string;
  accountId: string;
  userId: string;
  replaces: { id: string; expiresAt: string | null; revokedAt: string | null };
}

let app: TestApp;
let environment: { DATABASE_URL: string };
beforeAll(async () => {
  app = await startTestApp({ stopClock: false });
  environment = { DATABASE_URL: (app.dataSource.options as { url: string }).url };
});
afterAll(() => app.close());

const keys = (...args: string[]) => runCli(environment, 'keys', ...args);

async function account() {
  const made = await app.account({ scopes: ['documents:read'] });
  return { ...made, id: encodeId('key', made.keyId) };
}

describe('keys list', () => {
  it('keys list shows the keys of all accounts without the keys themselves', async () => {
    const [ada, eve] = [await account(), await account()];
    const listed = printed(await keys('list', '--json'));
    for (const { id, accountId, user } of [ada, eve]) {
      expect(listed).toContainEqual(
        expect.objectContaining({
          id,
          accountId: encodeId('account', accountId),
          name: 'test',
          scopes: ['documents:read'],
          revokedAt: null,
          createdBy: user,
        }),
      );
    }
    expect(JSON.stringify(listed)).not.toContain(ada.key);
  });

  it('keys list shows in a table which keys are valid, revoked or expired', async () => {
    const [valid, revoked] = [await account(), await account()];
    const expired = await app.account({ expiresAt: new Date('2020-01-01') });
    await keys('revoke', revoked.id);
    const { stdout } = await keys('list');
    const lineOf = (id: string) => stdout.split('\n').find((line) => line.startsWith(id));
    expect(lineOf('ID')).toMatch(/NAME +KEY +OWNER +ACCOUNT +SCOPES +STATE$/);
    expect(lineOf(valid.id)).toMatch(/ valid$/);
    expect(lineOf(revoked.id)).toMatch(/ revoked \d{4}-\S+Z$/);
    expect(lineOf(encodeId('key', expired.keyId))).toMatch(/ expired 2020-01-01T00:00:00.000Z$/);
  });
});

describe('keys revoke', () => {
  it('keys revoke revokes the key in the running service immediately', async () => {
    const { id, api } = await account();
    expectSuccess(await api.listDocuments());
    expect(await keys('revoke', id)).toEqual({
      exitCode: 0,
      stdout: `${id} is revoked.\n`,
      stderr: '',
    });
    expectFailure(await api.listDocuments(), 401, 'UNAUTHORIZED');
  });

  it('keys revoke reports an unknown key', async () => {
    expectRefusal(await keys('revoke', 'key_nonsense'), /^No such key\./);
    expectRefusal(await keys('revoke', 'key_01h455vb4pex5vsknk084sn02q'), /^No such key\./);
  });
});

describe('keys rotate', () => {
  it('keys rotate replaces the key and keeps its user; the old one works during the grace period', async () => {
    const { id, api, accountId, userId } = await account();
    const before = Date.now();
    const rotated = printed(await keys('rotate', id, '--grace', '2h', '--json')) as Rotated;
    expect(rotated).toMatchObject({
      accountId: encodeId('account', accountId),
      userId: encodeId('user', userId),
      replaces: { id, revokedAt: null },
    });
    const grace = Date.parse(rotated.replaces.expiresAt ?? '') - before;
    expect(grace).toBeGreaterThanOrEqual(7_200_000);
    expect(grace).toBeLessThan(7_260_000);
    expectSuccess(await api.listDocuments());
    expectSuccess(await app.api(rotated.key).listDocuments());
    expectFailure(await app.api(rotated.key).listEvents(), 403, 'FORBIDDEN');
  });

  it('keys rotate ends the old key immediately without a grace period', async () => {
    const { id, api } = await account();
    const { stdout } = await keys('rotate', id, '--grace', '0');
    expect(stdout).toMatch(
      new RegExp(`^key_\\w+ replaces ${id}, which is revoked\\. .*\nds_live_\\w+\n$`),
    );
    expectFailure(await api.listDocuments(), 401, 'UNAUTHORIZED');
    expectRefusal(await keys('rotate', id), /was revoked, has expired or was already rotated/);
  });
});
