import fc from 'fast-check';
import { plainName, sendLink } from '../../src/features/people/sessions/links/link-mail.service.js';
import { startMailServer, type MailServer } from '../support/mail-server.js';

let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.close());

const url = 'http://localhost:3000/dashboard/invitation#token';
const message = {
  to: 'ada@example.com',
  purpose: 'invitation',
  url,
  expiresAt: new Date('2026-12-01T00:00:00Z'),
  invitation: { by: 'Grace\r\nBcc: everybody@example.com', account: 'Engines' },
} as const;
const settings = () => ({ smtpUrl: server.url, from: 'documents@example.com' });

describe('a link by mail', () => {
  it('a link by mail says who invites to which account, with the link on a separate line', async () => {
    expect(await sendLink(settings(), message)).toEqual([]);
    const [mail = ''] = server.messages;
    expect(mail).toMatch(/^To: ada@example\.com$/m);
    expect(mail).toMatch(/^From: documents@example\.com$/m);
    expect(mail).toMatch(/^Subject: You are invited to the Document Service$/m);
    expect(mail).toContain('Grace Bcc everybody example com invites you to the account');
    expect(mail).not.toMatch(/^Bcc:/m);
    expect(mail.split('\n')).toContain(url);
  });

  it('a link by mail that a server refuses causes a warning, not an error', async () => {
    server.refuses = true;
    const [problem] = await sendLink(settings(), message);
    expect(problem?.field).toBe('email');
    expect(problem?.issue).toMatch(/could not be sent .*; pass on the link yourself$/);
    server.refuses = false;
  });

  it('a link by mail causes a warning if no server responds', async () => {
    const nowhere = { ...settings(), smtpUrl: 'smtp://127.0.0.1:1' };
    expect(await sendLink(nowhere, message)).toHaveLength(1);
  });

  it.each([
    ['https://evil.example/x', 'https evil example x'],
    ['Win at evil.example/x', 'Win at evil example x'],
    ['evil。example', 'evil example'],
    ['mail me@evil.example', 'mail me evil example'],
    ['10.0.0.1:8080', '10 0 0 1 8080'],
    ['<a href="//evil.example">', 'a href evil example'],
    ['Dr. Ada Lovelace, Ph.D.', 'Dr. Ada Lovelace, Ph D.'],
    ["Renée O'Neill & Söhne (Zürich)", "Renée O'Neill & Söhne (Zürich)"],
    ['\u200b\u202e', 'Somebody'],
  ])('a link by mail shows the name %j as %j', (name, shown) => {
    expect(plainName(name)).toBe(shown);
  });

  it('a link by mail contains nothing in a name that a mail program could turn into a link', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
        const shown = plainName(name);
        expect(shown).not.toMatch(/[:/@\\\n\r<>]|\.\S/u);
        expect(Array.from(shown).length).toBeLessThanOrEqual(60);
      }),
    );
  });
});
