import { startTestApp, type TestApp } from '../support/app.js';
import { Browser, newUser } from '../support/browser.js';
import { expectSuccess } from '../support/envelope.js';
import { startMailServer } from '../support/mail-server.js';
import { expectRefusal, printed, runCli, type CliRun } from './run-cli.js';

let app: TestApp;
let environment: Record<string, string>;
beforeAll(async () => {
  app = await startTestApp({ stopClock: false });
  environment = {
    DATABASE_URL: (app.dataSource.options as { url: string }).url,
    PUBLIC_URL: 'https://documents.example.com',
  };
});
afterAll(() => app.close());

const users = (...args: string[]) => runCli(environment, 'users', ...args);

/** Returns the token from the link that a command printed as JSON. */
function tokenIn(run: CliRun, page: string): string {
  const { link, expiresAt } = printed(run) as { link: string; expiresAt: string };
  expect(link.split('#')[0]).toBe(`https://documents.example.com/dashboard/${page}`);
  expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
  return link.split('#')[1] ?? '';
}

const preview = (token: string) =>
  new Browser(app.origin).send('POST', '/links/preview', { token });

describe('users link', () => {
  it('users link lets anyone start, whoever it is', async () => {
    const token = tokenIn(await users('link', '--json'), 'welcome');
    const browser = new Browser(app.origin);
    const user = newUser();
    expectSuccess(await browser.send('POST', '/links/use', { token, ...user }), 201);
    expect((await browser.state()).accounts).toMatchObject([{ role: 'owner', plan: 'free' }]);
    expect((await preview(token)).status).toBe(404);
  });

  it('users link creates a link for one e-mail address, and revokes the previous one', async () => {
    const { email, name, password } = newUser();
    const first = tokenIn(await users('link', '--email', email.toUpperCase(), '--json'), 'welcome');
    const token = tokenIn(await users('link', '--email', email, '--json'), 'welcome');
    expect((await preview(first)).body).toMatchObject({ error: { details: { code: 'revoked' } } });
    expect(expectSuccess(await preview(token))).toMatchObject({ purpose: 'first-run', email });
    const browser = new Browser(app.origin);
    expectSuccess(await browser.send('POST', '/links/use', { token, name, password }), 201);
    expect((await browser.state()).user?.email).toBe(email);
    expectRefusal(
      await users('link', '--email', email),
      /can already sign in to the dashboard\. .*users reset-password/,
    );
  });

  it('users link gives a user with a key access to the dashboard', async () => {
    const { email, name, password } = newUser();
    const made = printed(
      await runCli(environment, 'keys', 'create', '--email', email, '--plan', 'pro', '--json'),
    ) as { userId: string; accountId: string };
    const token = tokenIn(await users('link', '--email', email, '--json'), 'welcome');
    const browser = new Browser(app.origin);
    expectSuccess(await browser.send('POST', '/links/use', { token, name, password }), 201);
    const { user, accounts } = await browser.state();
    expect(user).toMatchObject({ id: made.userId, name });
    expect(accounts).toMatchObject([{ id: made.accountId, plan: 'pro', role: 'owner' }]);
  });
});

describe('users reset-password', () => {
  it('users reset-password creates a link that sets a new password', async () => {
    const user = newUser();
    const browser = new Browser(app.origin);
    await browser.signUp(user);
    const token = tokenIn(
      await users('reset-password', user.email, '--vouch', '--json'),
      'password',
    );
    const password = 'a new password';
    expectSuccess(
      await new Browser(app.origin).send('POST', '/links/use', { token, password }),
      201,
    );
    expect((await browser.state()).user).toBeNull();
    expectSuccess(await browser.signIn(user.email, password), 201);
  });

  it('users reset-password also sends the link by mail if there is a mail server', async () => {
    const user = newUser();
    await new Browser(app.origin).signUp(user);
    const mail = await startMailServer();
    environment['SMTP_URL'] = mail.url;
    const sent = await users('reset-password', user.email, '--vouch');
    mail.refuses = true;
    const refused = await users('reset-password', user.email);
    delete environment['SMTP_URL'];
    await mail.close();
    expect(sent.stderr).toBe(`Sent to ${user.email}.\n`);
    const link = /https:\S+/.exec(sent.stdout)?.[0] ?? 'none';
    expect(mail.messages.join('\n').replaceAll('=\n', '').replaceAll('=3D', '=')).toContain(link);
    expect(refused.exitCode).toBe(0);
    expect(refused.stdout).toMatch(/https:\S+\n$/);
    expect(refused.stderr).toMatch(/could not be sent/);
  });

  it('users reset-password refuses an unknown user with a sentence', async () => {
    expectRefusal(await users('reset-password', 'nobody@example.com'), /There is no user nobody@/);
    expectRefusal(await users('reset-password', 'nobody'), /not an e-mail address/);
  });
});

it('users list lists the users and how each signs in', async () => {
  const user = newUser();
  const { user: shown } = await new Browser(app.origin).signUp(user);
  expect(printed(await users('list', '--json'))).toContainEqual({
    id: shown?.id,
    email: user.email,
    formerEmail: null,
    emailVerified: false,
    name: user.name,
    signsInBy: ['password'],
    accounts: 1,
    createdAt: expect.stringMatching(/Z$/) as string,
  });
  expect((await users('list')).stdout).toMatch(
    /^ID +E-MAIL +VERIFIED +NAME +SIGNS IN BY +ACCOUNTS +CREATED\n/,
  );
});
