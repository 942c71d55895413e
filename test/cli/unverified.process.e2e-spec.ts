import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { ApiClient } from '../support/api-client.js';
import { Browser, newUser } from '../support/browser.js';
import { expectSuccess } from '../support/envelope.js';
import { expectRefusal, printed, runCli } from './run-cli.js';

/** Each command starts a new process. */
jest.setTimeout(240_000);

let app: TestApp;
let environment: Record<string, string>;
let accountId: string;
beforeAll(async () => {
  app = await startTestApp({ stopClock: false });
  environment = {
    DATABASE_URL: (app.dataSource.options as { url: string }).url,
    // `demo` creates webhooks and encrypts their secrets.
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
  const made = await cli('accounts', 'create', '--email', 'operator@corp.example', '--json');
  accountId = (printed(made) as { id: string }).id;
  // Later, when this user can sign in, a link without an email address is for the person who opens it.
  const { link } = printed(await cli('users', 'link', '--json')) as { link: string };
  const responses = { token: link.split('#')[1], name: 'Operator', password: 'correct horse' };
  expectSuccess(await new Browser(app.origin).send('POST', '/links/use', responses), 201);
});
afterAll(() => app.close());

const cli = (...args: string[]) => runCli(environment, ...args);

/** Somebody who signed up with an address that may belong to somebody else. */
async function squatter() {
  const user = newUser();
  const browser = new Browser(app.origin);
  const [account] = (await browser.signUp(user)).accounts;
  const path = `/accounts/${account?.id ?? ''}/v1/keys`;
  const made = await browser.send('POST', path, { name: 'theirs', scopes: ['*'] });
  const { key } = expectSuccess(made, 201) as { key: string };
  return { ...user, browser, accountId: account?.id ?? '', api: new ApiClient(app.origin, key) };
}

/** Somebody who invited the address to their own account and opened the link that they were shown. */
async function invitedByOneself() {
  const user = newUser();
  const inviter = new Browser(app.origin);
  const [account] = (await inviter.signUp()).accounts;
  const body = { email: user.email, role: 'owner' };
  const path = `/accounts/${account?.id ?? ''}/invitations`;
  const { link } = expectSuccess(await inviter.send('POST', path, body), 201) as { link: string };
  const browser = new Browser(app.origin);
  const { name, password } = user;
  const responses = { token: link.split('#')[1], name, password };
  expectSuccess(await browser.send('POST', '/links/use', responses), 201);
  return { ...user, browser };
}

type Command = (email: string, account: string) => string[];
const COMMANDS: [string, Command][] = [
  ['keys create --email', (email) => ['keys', 'create', '--email', email]],
  ['keys create --account', (_, account) => ['keys', 'create', '--account', account]],
  ['members add', (email) => ['members', 'add', accountId, email, '--role', 'admin']],
  ['accounts create', (email) => ['accounts', 'create', '--email', email]],
  ['users reset-password', (email) => ['users', 'reset-password', email]],
  ['users link', (email) => ['users', 'link', '--email', email]],
  ['demo', (email) => ['demo', '--email', email, '--documents', '1']],
];

describe('commands that grant something to a user', () => {
  it.each(COMMANDS)('%s stops for an unverified address', async (_, command) => {
    const { email, browser, accountId: own } = await squatter();
    expectRefusal(
      await cli(...command(email.toUpperCase(), own)),
      /is unverified.* nothing was changed.* --vouch/,
    );
    expect((await browser.state()).accounts).toHaveLength(1);
    const { members } = await membersOf();
    expect(members.map((one) => one.email)).not.toContain(email);
  });

  it.each(COMMANDS.filter(([name]) => name !== 'keys create --account'))(
    '%s --vouch gives the address a new user, who gets nothing of the one who signed up',
    async (name, command) => {
      const { email, password, browser, accountId: own, api } = await squatter();
      expect(await cli(...command(email, own), '--vouch')).toMatchObject({ exitCode: 0 });
      expect((await browser.state()).user).toBeNull();
      expect((await new Browser(app.origin).signIn(email, password)).status).toBe(401);
      expect((await api.listDocuments()).status).toBe(401);
      const members = printed(await cli('members', 'list', own, '--json')) as { email: string }[];
      expect(members.map((member) => member.email)).not.toContain(email);
      const users = printed(await cli('users', 'list', '--json')) as Record<string, unknown>[];
      expect(users).toContainEqual(
        expect.objectContaining({ formerEmail: email, emailVerified: false, signsInBy: [] }),
      );
      // The command that only creates a link leaves it to its holder to create the user.
      const isVerified = expect.objectContaining({ email, emailVerified: true }) as unknown;
      if (name !== 'users link') expect(users).toContainEqual(isVerified);
    },
  );

  it('commands that grant something to a user say on the first page of the new user that somebody else had signed up', async () => {
    for (const command of ['link --email', 'reset-password']) {
      const { email, accountId: own } = await squatter();
      const made = await cli('users', ...command.split(' '), email, '--vouch', '--json');
      const [, token] = (printed(made) as { link: string }).link.split('#');
      const browser = new Browser(app.origin);
      const responses = { token, name: 'The owner', password: 'correct horse battery' };
      expectSuccess(await browser.send('POST', '/links/use', responses), 201);
      const { user, accounts } = await browser.state();
      expect(user).toMatchObject({ email, formerUserSetApart: true });
      expect(accounts).toMatchObject([{ role: 'owner' }]);
      expect(accounts[0]?.id).not.toBe(own);
    }
  });

  it('commands that grant something to a user create no key in an account that an unverified user has set up', async () => {
    const { email, accountId: own, browser } = await squatter();
    const command = ['keys', 'create', '--account', own];
    for (const vouch of [[], ['--vouch']]) {
      expectRefusal(await cli(...command, ...vouch), /nothing was changed.* keys create --email/);
    }
    expect((await browser.state()).user).not.toBeNull();
    expect(await cli('keys', 'create', '--email', email, '--vouch')).toMatchObject({ exitCode: 0 });
    expectRefusal(await cli(...command), /nothing was changed/);
  });

  it('commands that grant something to a user give the new user the place of the member who is set apart', async () => {
    const { email, browser } = await squatter();
    const userId = (await browser.state()).user?.id ?? '';
    await app.dataSource.query(
      `INSERT INTO members (account_id, user_id, role, created_at) VALUES ($1, $2, 'viewer', now())`,
      [decodeId('account', accountId), decodeId('user', userId)],
    );
    expectRefusal(await cli('members', 'role', accountId, email, 'admin'), /is unverified/);
    const changed = printed(
      await cli('members', 'role', accountId, email, 'admin', '--vouch', '--json'),
    ) as { id: string };
    expect(changed).toMatchObject({ email, role: 'admin', emailVerified: true });
    expect(changed.id).not.toBe(userId);
    expect((await membersOf()).members.filter((one) => one.email.endsWith('.invalid'))).toEqual([]);
  });

  it('commands that grant something to a user stop for someone who accepted their own invitation', async () => {
    const { email, browser } = await invitedByOneself();
    expectRefusal(await cli('members', 'add', accountId, email), /is unverified/);
    expectRefusal(await cli('keys', 'create', '--email', email), /is unverified/);
    expect((await browser.state()).accounts).toHaveLength(1);
  });

  it('commands that grant something to a user give an unverified member a lower role, but not a higher one', async () => {
    const { email, accountId: own } = await squatter();
    const guest = await invitedByOneself();
    const role = (...to: string[]) => cli('members', 'role', own, guest.email, ...to);
    expect(await cli('members', 'add', own, guest.email, '--vouch')).toMatchObject({ exitCode: 0 });
    await app.dataSource.query('UPDATE users SET email_verified_at = NULL WHERE email = $1', [
      guest.email,
    ]);
    expect(await role('viewer')).toMatchObject({ exitCode: 0 });
    expectRefusal(await role('admin'), /is unverified/);
    // Vouching applies to the address, whatever the role.
    expect(await role('viewer', '--vouch')).toMatchObject({ exitCode: 0 });
    expect(await role('admin')).toMatchObject({ exitCode: 0 });
    expect(email).not.toBe(guest.email);
  });

  it('commands that grant something to a user trust a link that the operator created for the address, but not one whose holder typed it', async () => {
    const [named, typed] = [newUser(), newUser()];
    const tokenOf = async (...args: string[]) => {
      const { link } = printed(await cli('users', 'link', ...args, '--json')) as { link: string };
      return link.split('#')[1];
    };
    const use = async (token: string | undefined, user: typeof named) =>
      expectSuccess(
        await new Browser(app.origin).send('POST', '/links/use', { token, ...user }),
        201,
      );
    const { name, password } = named;
    const forNamed = await tokenOf('--email', named.email);
    expectSuccess(
      await new Browser(app.origin).send('POST', '/links/use', { token: forNamed, name, password }),
      201,
    );
    await use(await tokenOf(), typed);
    expect(await cli('keys', 'create', '--email', named.email)).toMatchObject({ exitCode: 0 });
    expectRefusal(await cli('keys', 'create', '--email', typed.email), /is unverified/);
  });
});

async function membersOf() {
  const members = printed(await cli('members', 'list', accountId, '--json')) as {
    email: string;
  }[];
  return { members };
}
