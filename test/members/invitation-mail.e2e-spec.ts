import { newBrowser, signUpAs, type SignedInPerson } from '../dashboard/people.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { Browser, newUser } from '../support/browser.js';
import { expectSuccess } from '../support/envelope.js';
import { startMailServer, type MailServer } from '../support/mail-server.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const PUBLIC_URL = 'http://documents.example.com';

let database: TestDatabase;
let mail: MailServer;
let apps: [TestApp, TestApp];
beforeAll(async () => {
  database = await createTestDatabase();
  mail = await startMailServer();
  const environment = { SMTP_URL: mail.url, PUBLIC_URL, TRUST_PROXY: '1' };
  const options = { databaseUrl: database.url, environment };
  apps = [await startTestApp(options), await startTestApp(options)];
});
afterAll(async () => {
  for (const app of apps) await app.close();
  await mail.close();
  await database.drop();
});
beforeEach(() => {
  mail.messages.length = 0;
});

/** Returns the sent mails, without soft line breaks and escapes. */
const mailed = () => mail.messages.map((one) => one.replaceAll('=\n', '').replaceAll('=3D', '='));
const tokenIn = (text: string) => /#([\w-]{43})/.exec(text)?.[1] ?? 'none';

interface Member {
  email: string;
  emailVerified: boolean;
}

async function invite({ browser, accountId }: SignedInPerson, email: string) {
  const body = { email, role: 'member' };
  const response = await browser.send('POST', `/accounts/${accountId}/invitations`, body);
  return { ...(expectSuccess(response, 201) as { id: string; link: string }), response };
}

const accept = (token: string, { name, password } = newUser()) =>
  newBrowser(apps[0]).send('POST', '/links/use', { token, name, password });

async function memberOf({ browser, accountId }: SignedInPerson, email: string) {
  const list = expectSuccess(await browser.send('GET', `/accounts/${accountId}/members`));
  return (list as Member[]).find((one) => one.email === email);
}

describe('an invitation by mail', () => {
  it('an invitation by mail verifies the address, but the link that the inviter sees does not', async () => {
    const owner = await signUpAs(apps[0]);
    const [shown, byMail] = [newUser(), newUser()];
    const first = await invite(owner, shown.email);
    expectSuccess(await accept(tokenIn(first.link)), 201);
    expect(await memberOf(owner, shown.email)).toMatchObject({ emailVerified: false });
    mail.messages.length = 0;
    const second = await invite(owner, byMail.email);
    const token = tokenIn(mailed()[0] ?? '');
    expect(token).not.toBe(tokenIn(second.link));
    expectSuccess(await accept(token), 201);
    expect(await memberOf(owner, byMail.email)).toMatchObject({ emailVerified: true });
    // The invitation's other link became invalid too.
    expect((await accept(tokenIn(second.link))).status).toBe(404);
  });

  it('an invitation by mail is revoked by a renewal, like the link that is shown', async () => {
    const owner = await signUpAs(apps[0]);
    const { id } = await invite(owner, newUser().email);
    const token = tokenIn(mailed()[0] ?? '');
    const path = `/accounts/${owner.accountId}/invitations/${id}/link`;
    expectSuccess(await owner.browser.send('POST', path), 201);
    const response = await accept(token);
    expect(response.body.error).toMatchObject({ details: { code: 'revoked' } });
  });

  it("links to PUBLIC_URL whatever the request's Host header says", async () => {
    const owner = await signUpAs(apps[0]);
    const headers = {
      host: 'evil.example',
      origin: PUBLIC_URL,
      'x-forwarded-host': 'evil.example',
    };
    const body = { email: newUser().email, role: 'member' };
    const path = `/dashboard/api/accounts/${owner.accountId}/invitations`;
    const response = await owner.browser.request('POST', path, { headers, body });
    const { link } = expectSuccess(response, 201) as { link: string };
    for (const text of [link, ...mailed()]) {
      expect(text).toContain(`${PUBLIC_URL}/dashboard/invitation#`);
      expect(text).not.toContain('evil');
    }
  });

  it('an invitation by mail has a fixed subject, and no link but its own', async () => {
    const owner = await signUpAs(apps[0]);
    const rename = { name: 'Win at evil.example/x https://evil.example' };
    expectSuccess(await owner.browser.send('PATCH', `/accounts/${owner.accountId}`, rename));
    expectSuccess(await owner.browser.send('PATCH', '/user', { name: 'www.evil.example' }));
    await invite(owner, newUser().email);
    const [message = ''] = mailed();
    expect(message).toMatch(/^Subject: You are invited to the Document Service$/m);
    expect(message).not.toContain('evil.example');
    expect(message.match(/https?:\/\//g)).toHaveLength(1);
  });

  it('an invitation by mail is sent to one mailbox at most five times, over all replicas and accounts', async () => {
    const name = `victim${String(Date.now())}`;
    const owners = [await signUpAs(apps[0]), await signUpAs(apps[1])];
    const [first, second] = owners as [SignedInPerson, SignedInPerson];
    const { id } = await invite(first, `${name}@example.com`);
    await invite(second, `${name}+other@example.com`);
    const path = `/accounts/${first.accountId}/invitations/${id}/link`;
    const renewals = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        first.browser.at(apps[index % 2]?.origin ?? '').send('POST', path),
      ),
    );
    expect(mail.messages).toHaveLength(5);
    const refused = renewals.filter(({ body }) => body.meta.warnings !== undefined);
    expect(refused).toHaveLength(9);
    expect(refused[0]?.body.meta.warnings).toEqual([
      {
        field: 'email',
        issue: expect.stringMatching(/not sent .* too many .* pass on the link/) as string,
      },
    ]);
  });

  it('an invitation by mail is sent to ten strangers from a Free account, and then waits', async () => {
    const owner = await signUpAs(apps[0]);
    let links = 0;
    for (let index = 0; index < 14; index += 1) {
      const { id } = await invite(owner, newUser().email);
      links += 1;
      const path = `/accounts/${owner.accountId}/invitations/${id}`;
      expect((await owner.browser.send('DELETE', path)).status).toBe(204);
    }
    expect([links, mail.messages.length]).toEqual([14, 10]);
  });

  it('an invitation by mail is sent from one network a limited number of times, over all its accounts', async () => {
    const from = { 'x-forwarded-for': '203.0.113.9' };
    for (let account = 0; account < 6; account += 1) {
      const browser = new Browser(apps[0].origin, from);
      const accountId = (await browser.signUp()).accounts[0]?.id ?? '';
      for (let index = 0; index < 10; index += 1) {
        const path = `/accounts/${accountId}/invitations`;
        const body = { email: newUser().email, role: 'member' };
        const { id } = expectSuccess(await browser.send('POST', path, body), 201) as {
          id: string;
        };
        expect((await browser.send('DELETE', `${path}/${id}`)).status).toBe(204);
      }
    }
    expect(mail.messages).toHaveLength(50);
  });
});
