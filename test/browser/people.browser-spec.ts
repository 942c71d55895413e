import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { OneTimeLinksRepository } from '../../src/features/people/sessions/links/one-time-links.repository.js';
import { eventually } from '../support/eventually.js';
import { startMailServer, type MailServer } from '../support/mail-server.js';
import {
  accessibilityFindingsInBothSchemes,
  ANALYZED_WITHIN_MS,
  describeInBrowser,
  setVisibility,
  useDashboard,
  timePassesUntil,
  waitForCount,
  waitForValue,
  type Visitor,
} from './support/dashboard.js';

const NEW_PASSWORD = 'another battery, another staple';

describeInBrowser('People and accounts in the dashboard', () => {
  const dashboard = useDashboard();

  const address = (path: string) => `${dashboard.app.origin}/dashboard/${path}`;

  let people = 0;
  /** The address of somebody whom no other test, and no earlier try of this one, knows. */
  const newEmail = (name: string) => {
    people += 1;
    return `${name}-${String(people)}@example.com`;
  };

  async function heading(page: Page, name: string): Promise<void> {
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  }

  async function fill(page: Page, fields: Record<string, string>): Promise<void> {
    for (const [label, value] of Object.entries(fields)) {
      await page.getByLabel(label, { exact: true }).fill(value);
    }
  }

  /** Invites somebody on the Members page and returns the link that it shows. */
  async function invite(page: Page, email: string, role: string): Promise<string> {
    await page.getByRole('button', { name: 'Invite member', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite' });
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByLabel('Role').selectOption(role);
    await dialog.getByRole('button', { name: 'Create invitation', exact: true }).click();
    const link = await page.getByRole('textbox', { name: 'Invitation link' }).inputValue();
    const created = page.getByRole('dialog', { name: 'Invitation created' });
    await created.getByRole('button', { name: 'Copy link' }).click();
    await created.getByRole('button', { name: 'Done' }).click();
    return link;
  }

  /** Creates somebody new who has accepted an invitation to the account of `host`. */
  async function guest(host: Visitor, email: string, name: string, role: string): Promise<Page> {
    await host.open('members');
    const link = await invite(host.page, email, role);
    const page = await dashboard.stranger();
    await page.goto(link);
    await fill(page, { Name: name, Password: NEW_PASSWORD });
    await page.getByRole('button', { name: 'Create account' }).click();
    await heading(page, 'Documents');
    return page;
  }

  async function actionOn(page: Page, name: string, action: string): Promise<void> {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: action }).click();
  }

  async function signIn(page: Page, email: string, password: string): Promise<void> {
    await page.goto(address('sign-in'));
    await fill(page, { Email: email, Password: password });
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  it('the first-run link asks for e-mail, name and password, opens the Overview, and works once; later ones create no first user', async () => {
    const links = dashboard.app.app.get(OneTimeLinksRepository);
    const { token } = await links.create({ purpose: 'first-run' });
    // A second try of this test, or the test before it, may have created users.
    await dashboard.app.dataSource.query('DELETE FROM user_credentials');
    const page = await dashboard.stranger();
    await page.goto(address(`welcome#${token}`));
    await heading(page, 'Welcome');
    await page.getByText('Create the first user of this service.').waitFor();
    await page.waitForURL(address('welcome'));
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await fill(page, { Email: newEmail('first'), Name: 'First One', Password: 'short' });
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('alert').waitFor();
    await waitForValue(page.getByLabel('Name', { exact: true }), /^First One$/);
    await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel('Password', { exact: true }).press('Enter');
    await heading(page, 'Overview');

    const second = await dashboard.stranger();
    await second.goto(address(`welcome#${token}`));
    await heading(second, 'This link was already used');
    await second.goto(address('welcome#bm90LWEtdG9rZW4'));
    await heading(second, 'This link is invalid');
    await second.goto(address('welcome'));
    await heading(second, 'This link is incomplete');
    const next = await links.create({ purpose: 'first-run' });
    await second.goto(address(`welcome#${next.token}`));
    await second.getByText('Create your account.', { exact: true }).waitFor();
  });

  it('a person invited as a viewer sees documents, but not what the role cannot do', async () => {
    const owner = await dashboard.visitor('Olga Owner');
    await owner.open('members');
    const email = newEmail('vera');
    const link = await invite(owner.page, email, 'viewer');
    await owner.page.getByRole('table', { name: 'Invitations' }).getByText(email).waitFor();

    const page = await dashboard.stranger();
    await page.goto(link);
    await heading(page, 'Invitation');
    await page.getByText(`Olga Owner invites ${email}`).waitFor();
    await page.waitForURL(address('invitation'));
    await fill(page, { Name: 'Vera Viewer', Password: NEW_PASSWORD });
    await page.getByRole('button', { name: 'Create account' }).click();
    await heading(page, 'Documents');
    await page.waitForURL(address(`${owner.accountId}/documents`));

    await page.goto(address(`${owner.accountId}/keys`));
    await page.getByText("You don't have access").waitFor();
    await page.goto(address(`${owner.accountId}/members`));
    await page.getByRole('table', { name: 'Members' }).waitFor();
    await page
      .getByRole('button', { name: 'Invite member', exact: true, disabled: true })
      .waitFor();
    await page.goto(address(`${owner.accountId}/settings`));
    await page.getByRole('button', { name: 'Delete account', disabled: true }).waitFor();

    const again = await dashboard.stranger();
    await again.goto(link);
    await heading(again, 'This link was already used');
    const late = newEmail('late');
    const renewed = await invite(owner.page, late, 'member');
    await actionOn(owner.page, late, 'Revoke invitation');
    await owner.page.getByRole('status').getByText('revoked').waitFor();
    await again.goto(renewed);
    await heading(again, 'This link was revoked');
  });

  it('a signed-in user joins another account without a password', async () => {
    const host = await dashboard.visitor('Hanna Host');
    const other = await dashboard.visitor('Otto Other');
    await host.open('members');
    const link = await invite(host.page, other.email, 'member');
    await other.page.goto(link);
    await other.page.getByRole('button', { name: 'Join' }).click();
    await heading(other.page, 'Documents');
    await other.page.waitForURL(address(`${host.accountId}/documents`));
    await other.page.goto(address('profile'));
    await other.page.getByRole('button', { name: 'Leave Hanna Host' }).waitFor();
  });

  it('a new role applies from the next request, and a removed member is signed out', async () => {
    const owner = await dashboard.visitor('Rita Ruler');
    const page = await guest(owner, newEmail('max'), 'Max Member', 'viewer');
    await page.goto(address(`${owner.accountId}/settings?tab=dictionary`));
    await page.getByText("You don't have access").waitFor();

    await owner.open('members');
    await actionOn(owner.page, 'Max Member', 'Change role');
    const dialog = owner.page.getByRole('dialog', { name: 'Change role' });
    await dialog.getByLabel('Role').selectOption('member');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await owner.page.getByRole('status').getByText('Max Member is now member.').waitFor();
    await page.reload();
    await fill(page, { Words: 'Frobnicator' });
    await page.getByRole('button', { name: 'Add words', exact: true }).click();
    await page.getByRole('button', { name: 'Remove Frobnicator' }).waitFor();

    // A page in the background does not check who has signed in.
    await page.evaluate(setVisibility('hidden'));
    await actionOn(owner.page, 'Max Member', 'Remove');
    const removal = owner.page.getByRole('dialog', { name: 'Remove' });
    await removal.getByLabel('Revoke API keys created by this person').check();
    await removal.getByRole('button', { name: 'Remove member', exact: true }).click();
    await owner.page.getByRole('status').getByText('Max Member removed.').waitFor();
    // Max no longer belongs to any account, so the session has ended too.
    await page.getByRole('button', { name: 'Remove Frobnicator' }).click();
    await heading(page, 'Sign in');
    await page.waitForURL(
      ({ searchParams }) => searchParams.get('next')?.includes('/settings?tab=dictionary') === true,
    );
  });

  it('the only owner can neither leave nor be demoted, and the page says why', async () => {
    const owner = await dashboard.visitor('Solo Owner');
    await owner.open('members');
    await owner.page.getByRole('button', { name: 'Actions for Solo Owner' }).click();
    for (const name of ['Change role', 'Leave']) {
      await owner.page
        .getByRole('menuitem', { name })
        .and(owner.page.locator('[data-disabled=true]'))
        .getByText('This is the only owner')
        .waitFor();
    }
  });

  it('two-factor sign-in is turned on with a code, required at sign-in, and accepts a recovery code', async () => {
    const { page, email, password } = await dashboard.visitor('Tina Twofold');
    await page.goto(address('profile'));
    await heading(page, 'Profile');
    await page.getByRole('button', { name: 'Turn on' }).click();
    const dialog = page.getByRole('dialog', { name: 'Turn on' });
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('img', { name: 'QR code' }).waitFor();
    const secret = await dialog.locator('code').innerText();
    await dialog.getByLabel('Code', { exact: true }).fill(codeOf(secret));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const field = page.getByRole('textbox', { name: 'Recovery codes' });
    const recoveryCodes = (await waitForValue(field, '\n')).split('\n');
    expect(recoveryCodes).toHaveLength(10);
    await page.getByRole('button', { name: 'Copy codes' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Turn off' }).waitFor();

    const second = await dashboard.stranger();
    await signIn(second, email, password);
    await second.getByLabel('Code', { exact: true }).waitFor();
    expect(await accessibilityFindingsInBothSchemes(second)).toEqual([]);
    await second.getByLabel('Code', { exact: true }).fill('000000');
    await second.getByRole('button', { name: 'Sign in', exact: true }).click();
    const problem = 'The code is wrong or was already used; enter the code that the app shows now.';
    await second.getByRole('alert').getByText(problem, { exact: true }).waitFor();
    await second.getByRole('textbox', { name: 'Code', description: problem }).waitFor();
    expect(await second.getByRole('alert').count()).toBe(1);
    expect(await accessibilityFindingsInBothSchemes(second)).toEqual([]);
    await second.getByLabel('Code', { exact: true }).fill(codeOf(secret, 30_000));
    await second.getByRole('button', { name: 'Sign in', exact: true }).click();
    await heading(second, 'Overview');

    const third = await dashboard.stranger();
    await signIn(third, email, password);
    await third.getByLabel('Code', { exact: true }).fill(recoveryCodes[0] ?? '');
    await third.getByRole('button', { name: 'Sign in', exact: true }).click();
    await heading(third, 'Overview');

    await page.reload();
    const sessions = page.getByRole('table', { name: 'Sessions' });
    // The header row and three sessions.
    await sessions.getByRole('row').nth(3).waitFor();
    await page.getByRole('button', { name: 'Sign out other sessions' }).click();
    await page.getByText('signed in on 1 device').waitFor();
    await second.reload();
    await heading(second, 'Sign in');
  });

  it('without mail, the sign-in page says who can help with a forgotten password, and a wrong one is reported beside its field', async () => {
    const { email } = await dashboard.visitor('Walt Wrong');
    const page = await dashboard.stranger();
    await signIn(page, email, 'not my password');
    await page.getByRole('alert').getByText('Wrong email or password.', { exact: true }).waitFor();
    await page.getByText('Ask the person who runs this service for a link').waitFor();
    expect(await page.getByRole('main').innerText()).not.toMatch(/npm|Walt/);
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
  });

  it('a link to set a new password signs in, ends all other sessions, and works once', async () => {
    const { page, email } = await dashboard.visitor('Lost Password');
    const links = dashboard.app.app.get(OneTimeLinksRepository);
    const find = 'SELECT id FROM users WHERE email = $1';
    const users = await dashboard.app.dataSource.query<{ id: string }[]>(find, [email]);
    const userId = users[0]?.id ?? '';
    const { token } = await links.create({ purpose: 'password', userId });
    const other = await dashboard.stranger();
    await other.goto(address(`password#${token}`));
    await heading(other, 'New password');
    await waitForValue(other.getByLabel('Email'), email);
    await fill(other, { Password: NEW_PASSWORD });
    await other.getByRole('button', { name: 'Save' }).click();
    await heading(other, 'Overview');
    await page.goto(address('profile'));
    await heading(page, 'Sign in');
    await signIn(page, email, NEW_PASSWORD);
    await heading(page, 'Overview');
    await page.goto(address(`password#${token}`));
    await heading(page, 'This link was already used');
  });

  it('sign-in leads only to pages of the dashboard, whatever the URL asks for', async () => {
    const { page, accountId } = await dashboard.visitor();
    const goOnTo = (next: string) => page.goto(address(`sign-in?next=${encodeURIComponent(next)}`));
    const home = address(`${accountId}/overview`);
    for (const next of [
      '//evil.example/dashboard/',
      '/\\evil.example/dashboard/',
      'https://evil.example/dashboard/',
      'javascript:alert(1)',
      '/dashboard/../v1/keys',
      '/dashboard/api/session',
      '/v1/keys',
    ]) {
      await goOnTo(next);
      await heading(page, 'Overview');
      await page.waitForURL(home);
    }
    await goOnTo('/dashboard/members?page=2');
    await heading(page, 'Members');
    await page.waitForURL(address(`${accountId}/members?page=2`));
  });

  it('the page says once that the service is unavailable, and recovers automatically', async () => {
    const { page, context, open } = await dashboard.visitor('Awa Away');
    await context.clock.install();
    await open('overview');
    const everything = '**/dashboard/api/**';
    await page.route(everything, (route) => route.abort('connectionrefused'));
    await page.getByRole('link', { name: 'Members', exact: true }).click();
    const banner = page
      .getByRole('status')
      .filter({ hasText: "Can't reach the server. Reconnecting" });
    await banner.waitFor();
    expect(await banner.count()).toBe(1);
    await page.unroute(everything);
    const members = page.getByRole('table', { name: 'Members' });
    await timePassesUntil(context, () => members.isVisible());
    await banner.waitFor({ state: 'detached' });
  });

  it('style rules are edited field by field, with what they find in a sample text while it is typed', async () => {
    const { page, context, accountId, open } = await dashboard.visitor('Fay Form');
    const rule = (id: string) => page.getByRole('group', { name: new RegExp(`^${id} `) });
    await open('settings?tab=style-rules');
    await page.getByRole('button', { name: 'New version' }).first().click();
    const words = rule('plain-words');
    await words.getByText('2 findings.').waitFor();
    await words
      .getByLabel('Sample text', { exact: true })
      .fill('Utilize this, and **utilise** `utilize`.');
    const marks = words.getByRole('group', { name: 'Findings in the sample text' });
    await marks.getByText('Utilize', { exact: true }).waitFor();
    await waitForCount(marks.locator('mark'), 2);
    await words.getByText('“Utilize” → “Use”').waitFor();
    await words.getByLabel('Words or phrases').fill('');
    await words.getByText('Enter a word or phrase.').waitFor();
    await words.getByLabel('Words or phrases').fill('utilise');
    await words.getByText('1 finding.').waitFor();
    await waitForCount(marks.locator('mark'), 1);

    await page.getByLabel('Kind of rule').selectOption('Find a pattern');
    await page.getByRole('button', { name: 'Add rule' }).click();
    const pattern = rule('one-space');
    await page.locator('input:focus').and(pattern.getByLabel('Rule ID')).waitFor();
    await pattern.getByText('1 finding.').waitFor();
    // The service compiles the pattern, and its problem is shown at the field.
    await pattern.getByLabel('Pattern').fill('(?=a)b');
    await pattern.getByText('Fix the rule to see its findings.').waitFor();
    await pattern.getByText(/RE2/).nth(1).waitFor();
    await pattern.getByLabel('Pattern').fill('too  many|spaces');
    await pattern.getByText('1 finding.').waitFor();
    await pattern.getByLabel('Suggest a replacement').uncheck();
    await pattern.getByLabel('Replace with').waitFor({ state: 'detached' });

    await pattern.getByRole('button', { name: 'Duplicate rule' }).click();
    await rule('one-space-2').getByLabel('Rule ID').fill('one-space');
    await page.getByRole('button', { name: 'Save rules' }).click();
    await page.getByText('Not saved. Fix the problems in 1 rule, then save again.').waitFor();
    await page.getByText(/must be unique; rules\[1\] has the same id/).waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    const copy = rule('one-space').nth(1);
    await copy.getByRole('button', { name: 'Remove rule' }).click();
    await page.getByText('Rule one-space removed.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await copy.getByLabel('Rule ID').fill('spaces');
    await copy.waitFor({ state: 'detached' });
    await rule('spaces').getByLabel('Kind', { exact: true }).selectOption('Limit a pattern');
    await rule('spaces').getByLabel('At most').fill('2');
    await rule('spaces').getByLabel('In each').selectOption('paragraph');

    await page.getByRole('button', { name: 'Edit as JSON' }).click();
    const json = page.getByRole('textbox', { name: 'Rules', exact: true });
    const text = await waitForValue(json, /"max": 2/);
    await json.fill(text.replace('"kind": "occurrence"', '"kind": "limit"'));
    await page.getByText("The form can't show rule 3: check its kind.").waitFor();
    await page.getByRole('button', { name: 'Edit as form', disabled: true }).waitFor();
    await json.fill(text);
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Edit as form' }).click();
    await rule('plain-words').getByRole('button', { expanded: false }).waitFor();
    await page.getByRole('button', { name: 'Save rules' }).click();
    await page.getByRole('table', { name: 'Version 1' }).waitFor();
    const response = await context.request.get(
      address(`api/accounts/${accountId}/v1/style-rules/1`),
    );
    const { data } = (await response.json()) as { data: { rules: object[] } };
    expect(data.rules).toMatchObject([
      { id: 'plain-words', kind: 'replacement', from: ['utilise'], to: 'use' },
      { id: 'one-space', kind: 'pattern', pattern: 'too  many|spaces', replacement: null },
      { id: 'spaces', kind: 'occurrence', pattern: 'too  many|spaces', max: 2, scope: 'paragraph' },
    ]);
  });

  it('style rules are written, survive the end of a session, and are tried and activated; an account is renamed and deleted by name', async () => {
    const owner = await dashboard.visitor('Stella Style');
    const { page, context, accountId, open } = owner;
    const headers = { Origin: dashboard.app.origin, 'X-Dashboard-Request': '1' };
    const made = await context.request.post(address(`api/accounts/${accountId}/v1/documents`), {
      headers,
      data: { title: 'Manual', content: 'Please utilize the red lever to begin.' },
    });
    expect(made.status()).toBe(201);

    await open('settings?tab=style-rules');
    await page.getByRole('button', { name: 'New version' }).first().click();
    const ruleId = page.getByLabel('Rule ID');
    const words = page.getByLabel('Words or phrases');
    await waitForValue(ruleId, /^plain-words$/);
    await ruleId.fill('Plain Words');
    await page.getByRole('button', { name: 'Save rules' }).click();
    await page
      .getByRole('alert')
      .getByText('Not saved. Fix the problems in 1 rule, then save again.')
      .waitFor();
    await page.reload();
    await waitForValue(ruleId, /^Plain Words$/);
    await ruleId.fill('plain-words');
    await words.fill('utilize\nleverage\n');
    // A page in the background does not check who has signed in.
    await page.evaluate(setVisibility('hidden'));
    await context.request.delete(address('api/session'), { headers });
    await page.getByRole('button', { name: 'Save' }).click();
    await heading(page, 'Sign in');
    await page.evaluate(setVisibility('visible'));
    await fill(page, { Email: owner.email, Password: owner.password });
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await heading(page, 'Settings');
    await waitForValue(words, 'leverage');
    await page.getByRole('button', { name: 'Save' }).click();
    const version = page.getByRole('table', { name: 'Version 1' });
    await version.getByText('utilize, leverage → use', { exact: true }).waitFor();
    await actionOn(page, 'Version 1', 'Dry run');
    await page
      .getByText('found 1 issue in 1 of 1 document')
      .waitFor({ timeout: ANALYZED_WITHIN_MS });
    await page
      .getByRole('table', { name: 'Findings by document' })
      .getByRole('link', { name: 'Manual' })
      .waitFor();
    await actionOn(page, 'Version 1', 'Activate');
    await page.getByRole('table', { name: 'Style rules' }).getByText('Active').last().waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);

    await page.getByRole('tab', { name: 'Account' }).click();
    const plans = page.getByRole('table', { name: 'Plans' });
    await plans.waitFor();
    await plans.getByRole('columnheader', { name: 'Free Your plan' }).waitFor();
    // The limit's name and four plans.
    await waitForCount(plans.getByRole('columnheader'), 5);
    await page.getByLabel('Account name').fill('Style & <b>Substance</b>');
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByRole('status').getByText('Account renamed.').waitFor();
    await page.reload();
    await waitForValue(page.getByLabel('Account name'), /^Style & <b>Substance<\/b>$/);
    await page.getByRole('button', { name: 'Delete account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete account' });
    await dialog.getByRole('button', { name: 'Delete account', disabled: true }).waitFor();
    await dialog.getByLabel('Account name').fill('Style & <b>Substance</b>');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await heading(page, 'Profile');
    await page.getByText('No accounts yet.').waitFor();
  });
});

describeInBrowser('People and accounts in the dashboard of a service that sends mail', () => {
  let mail: MailServer;
  const environment: Record<string, string> = { PUBLIC_URL: 'http://documents.example.com' };
  beforeAll(async () => {
    mail = await startMailServer();
    environment['SMTP_URL'] = mail.url;
  });
  const dashboard = useDashboard(environment);
  afterAll(() => mail.close());
  beforeEach(() => {
    mail.messages.length = 0;
  });

  const address = (path: string) => `${dashboard.app.origin}/dashboard/${path}`;
  const heading = (page: Page, name: string) =>
    page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

  /** Returns the path and fragment of the link in the mail that arrives. */
  async function mailedLink(): Promise<string> {
    const [message = ''] = await eventually(
      () => mail.messages,
      ({ length }) => length > 0,
    );
    const text = message.replaceAll('=\n', '').replaceAll('=3D', '=');
    return /example\.com\/dashboard\/(\S+#[\w-]{43})/.exec(text)?.[1] ?? '';
  }

  it('somebody who forgot the password gets a link by mail on the sign-in page, and signs in with a new one', async () => {
    const { email, page: signedIn } = await dashboard.visitor('Fern Forgetful');
    const verify = 'UPDATE users SET email_verified_at = now() WHERE email = $1';
    await dashboard.app.dataSource.query(verify, [email]);
    const page = await dashboard.stranger();
    await page.goto(address('sign-in'));
    await heading(page, 'Sign in');
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    expect(await page.getByRole('main').innerText()).not.toContain('npm');
    await page.getByRole('link', { name: 'Reset password' }).click();
    await heading(page, 'Reset password');
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await heading(page, 'Check your email');
    await page.getByRole('status').getByText(email).waitFor();
    await page.goto(address(await mailedLink()));
    await heading(page, 'New password');
    await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Save password' }).click();
    await heading(page, 'Overview');
    await signedIn.goto(address('profile'));
    await heading(signedIn, 'Sign in');
  });

  it('an invitation is sent by mail, again on request, and the page says so if the mail fails', async () => {
    const { page, open } = await dashboard.visitor('Ida Inviter');
    await open('members');
    const invite = async (email: string) => {
      await page.getByRole('button', { name: 'Invite member', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Invite member' });
      await dialog.getByLabel('Email').fill(email);
      await dialog.getByRole('button', { name: 'Send invitation' }).click();
      return dialog;
    };
    const email = `guest-${String(Date.now())}@example.com`;
    const dialog = await invite(email);
    await page.getByRole('status').getByText(`Invitation sent to ${email}.`).waitFor();
    await dialog.waitFor({ state: 'detached' });
    const first = await mailedLink();
    mail.messages.length = 0;
    await page.getByRole('button', { name: `Actions for ${email}` }).click();
    await page.getByRole('menuitem', { name: 'Send again' }).click();
    const second = await mailedLink();
    expect(second).not.toBe(first);

    mail.refuses = true;
    await invite(`other-${email}`);
    const failed = page.getByRole('dialog', { name: 'Invitation created' });
    await failed.getByRole('alert').getByText('could not be sent').waitFor();
    await failed.getByRole('textbox', { name: 'Invitation link' }).waitFor();
    mail.refuses = false;
    await failed.getByRole('button', { name: 'Copy link' }).click();
    await failed.getByRole('button', { name: 'Done' }).click();

    const guest = await dashboard.stranger();
    await guest.goto(address(second));
    await heading(guest, 'Invitation');
    await guest.getByLabel('Name', { exact: true }).fill('Gwen Guest');
    await guest.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
    await guest.getByRole('button', { name: 'Create account' }).click();
    await heading(guest, 'Documents');
  });
});

/** Returns the code that the authenticator app shows now, or after `later` ms. */
function codeOf(secret: string, later = 0): string {
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  return app.generate({ timestamp: Date.now() + later });
}
