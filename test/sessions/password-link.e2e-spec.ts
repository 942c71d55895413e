import { newBrowser, FROM_EVERYWHERE } from '../dashboard/people.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { Browser, newUser, type NewUser } from '../support/browser.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { startMailServer, type MailServer } from '../support/mail-server.js';

const PUBLIC_URL = 'http://documents.example.com';
const NEW_PASSWORD = 'another battery, another staple';

let mail: MailServer;
let app: TestApp;
beforeAll(async () => {
  mail = await startMailServer();
  app = await startTestApp({
    environment: { ...FROM_EVERYWHERE, SIGNUP: 'open', SMTP_URL: mail.url, PUBLIC_URL },
  });
});
afterAll(async () => {
  await app.close();
  await mail.close();
});
beforeEach(() => {
  mail.messages.length = 0;
});

/** Somebody with a password. Their address is verified unless `verified` is false. */
async function person(verified = true): Promise<NewUser & { browser: Browser }> {
  const user = newUser();
  const browser = newBrowser(app);
  await browser.signUp(user);
  if (verified) {
    const sql = 'UPDATE users SET email_verified_at = now() WHERE email = $1';
    await app.dataSource.query(sql, [user.email]);
  }
  return { ...user, browser };
}

const ask = (email: string, browser = newBrowser(app)) =>
  browser.send('POST', '/links/password', { email });

/** Returns the text of the mail that arrives, without soft line breaks and escapes. */
async function mailed(): Promise<string> {
  const [message = ''] = await eventually(
    () => mail.messages,
    ({ length }) => length === 1,
  );
  return message.replaceAll('=\n', '').replaceAll('=3D', '=');
}

const tokenIn = (text: string) => /#([\w-]{43})/.exec(text)?.[1] ?? 'none';

describe('a password link from the sign-in page', () => {
  it('a password link from the sign-in page is mailed to the user and sets a new password once', async () => {
    const { email, browser } = await person();
    expect((await ask(` ${email.toUpperCase()}`)).status).toBe(204);
    const text = await mailed();
    expect(text).toMatch(new RegExp(`^To: ${email}$`, 'm'));
    expect(text).toMatch(/^Subject: Set a new password for the Document Service$/m);
    expect(text).toContain('Somebody, probably you, asked for a new password');
    expect(text).toContain(`${PUBLIC_URL}/dashboard/password#`);
    const use = { token: tokenIn(text), password: NEW_PASSWORD };
    expectSuccess(await newBrowser(app).send('POST', '/links/use', use), 201);
    expect((await browser.state()).user).toBeNull();
    expectSuccess(await newBrowser(app).signIn(email, NEW_PASSWORD), 201);
    expectFailure(await newBrowser(app).send('POST', '/links/use', use), 404, 'NOT_FOUND');
  });

  it('a password link from the sign-in page gets the same response for an unknown address, without a mail', async () => {
    const { email } = await person();
    const unknown = await ask('nobody@example.com');
    const known = await ask(email);
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    expect(await mailed()).toContain(email);
    expect(mail.messages).toHaveLength(1);
  });

  it('a password link from the sign-in page is not sent to an unverified address, whose user somebody else may have created', async () => {
    const { email } = await person(false);
    expect((await ask(email)).status).toBe(204);
    const text = await mailed();
    expect(text).toContain('Your email address is not verified');
    expect(tokenIn(text)).toBe('none');
  });

  it('a password link from the sign-in page is not sent to a user who signs in only with a provider', async () => {
    const { email } = await person();
    const [user] = await app.dataSource.query<{ id: string }[]>(
      'SELECT id FROM users WHERE email = $1',
      [email],
    );
    await app.dataSource.query('DELETE FROM user_credentials WHERE user_id = $1', [user?.id]);
    await app.dataSource.query(
      `INSERT INTO user_identities (issuer, subject, user_id, created_at) VALUES ('https://login.example.com', $2, $1, now())`,
      [user?.id, email],
    );
    expect((await ask(email)).status).toBe(204);
    const text = await mailed();
    expect(text).toContain('You sign in with a provider, so you have no password.');
    expect(tokenIn(text)).toBe('none');
  });

  it('a password link from the sign-in page is mailed to one mailbox at most five times, whether or not it has a user', async () => {
    for (const address of [(await person()).email, 'nobody-else@example.com']) {
      for (let count = 0; count < 5; count += 1) expect((await ask(address)).status).toBe(204);
      const refused = await ask(address);
      expectFailure(refused, 429, 'RATE_LIMIT_EXCEEDED');
      expect(refused.body).toMatchObject({
        error: { message: 'Too many links were requested. Try again in 60 min.' },
      });
    }
  });

  it('a password link from the sign-in page is requested from one address at most 20 times in a row', async () => {
    const browser = newBrowser(app);
    const statuses: number[] = [];
    for (let count = 0; count < 21; count += 1) {
      statuses.push((await ask(`somebody-${String(count)}@example.com`, browser)).status);
    }
    expect(statuses).toEqual([...Array<number>(20).fill(204), 429]);
  });

  it('a password link from the sign-in page is offered only if the service sends mail', async () => {
    expect((await newBrowser(app).state()).mail).toBe(true);
    const silent = await startTestApp();
    const browser = new Browser(silent.origin);
    expect((await browser.state()).mail).toBe(false);
    expectFailure(await ask('ada@example.com', browser), 403, 'FORBIDDEN');
    await silent.close();
  });
});
