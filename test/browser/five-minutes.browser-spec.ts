import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import {
  ANALYZED_WITHIN_MS,
  clipboardWith,
  describeInBrowser,
  startBrowser,
  waitForValue,
  type BrowserUnderTest,
} from './support/dashboard.js';

const GUIDE = 'docs/quickstarts/five-minutes.md';

/** A newcomer, who does what the guide says. */
class Newcomer {
  /** What the newcomer used or looked at, in order. The guide prints these names in bold. */
  readonly names: string[] = [];
  /** What the newcomer typed or read. The guide prints these texts as code. */
  readonly texts: string[] = [];

  constructor(readonly page: Page) {}

  async choose(
    role: 'button' | 'link' | 'tab',
    name: string,
    within: Page | Locator = this.page,
  ): Promise<void> {
    await within.getByRole(role, { name, exact: true }).click();
    this.names.push(name);
  }

  async fillIn(label: string, value: string): Promise<void> {
    await this.page.getByLabel(label, { exact: true }).fill(value);
    this.names.push(label);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
    this.texts.push(text);
  }

  /** Waits until an element with this name or text is shown. */
  async sees(name: string, where: Locator = this.page.getByText(name, { exact: true })) {
    await where.waitFor();
    this.names.push(name);
  }

  async reads(text: string, where: Locator): Promise<void> {
    await where.getByText(text, { exact: true }).waitFor();
    this.texts.push(text);
  }
}

describeInBrowser('The five-minute tour in the dashboard', () => {
  let folder: string;
  let service: ServiceProcess;
  let browser: BrowserUnderTest;
  // The printed link works once, so that a second try needs a new service.
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'five-minutes-'));
    // Like `npm start`.
    const environment = { NODE_ENV: '', EMBEDDED_DATABASE: '', DATA_DIR: folder };
    [service, browser] = await Promise.all([startService(environment), startBrowser()]);
  });
  afterEach(async () => {
    const problems = await browser.endTest();
    await browser.browser.close();
    await service.end();
    rmSync(folder, { recursive: true, force: true });
    expect(problems).toEqual([]);
  });

  it('The five-minute tour in the dashboard leads from the printed link to a signed delivery, with exactly the names that the guide prints', async () => {
    const link = await eventually(
      () => /^ {2}Dashboard {2}(\S+)$/m.exec(service.output())?.[1] ?? '',
    );
    const context = await browser.newContext(new URL(link).origin);
    const page = await context.newPage();
    const reader = new Newcomer(page);
    const navigation = page.getByRole('navigation', { name: 'Main' });
    const steps = page.getByRole('list', { name: 'First steps' });
    const step = (name: string) => steps.getByRole('listitem').filter({ hasText: name });
    const heading = (name: string) => page.getByRole('heading', { name, exact: true });

    await page.goto(link);
    await reader.fillIn('Email', 'ada@example.com');
    await reader.fillIn('Name', 'Ada');
    await reader.fillIn('Password', 'correct horse battery staple');
    await reader.choose('button', 'Create account');
    await reader.sees('Overview', heading('Overview'));
    await reader.sees('First steps', heading('First steps'));

    await reader.choose('link', 'New document', step('Write a document (to do)'));
    await page.locator('textarea:focus').and(page.getByLabel('Title')).waitFor();
    await reader.type('Launch plan');
    await page.keyboard.press('Enter');
    await reader.type('We recieve the the results on Monday.');
    await reader.choose('button', 'Create document');
    await page.waitForURL(/\/documents\/doc_/);

    await reader.choose('button', 'Check');
    const check = page.getByRole('complementary', { name: 'Check' });
    await check.getByText('2 issues').waitFor({ timeout: ANALYZED_WITHIN_MS });
    await reader.choose('button', 'Apply 2 safe fixes');
    await reader.reads('We receive the results on Monday.', page.getByLabel('Content'));
    await check.getByText('No issues').waitFor();

    await reader.choose('link', 'Overview', navigation);
    await reader.choose('link', 'Create webhook', step('Create a webhook (to do)'));
    const form = page.getByRole('dialog', { name: 'Create webhook' });
    await reader.choose('button', 'Use test receiver', form);
    await waitForValue(form.getByLabel('URL'), '/dashboard/receivers/');
    await reader.choose('button', 'Create webhook', form);
    await reader.choose('button', 'Copy secret');
    await clipboardWith(page, 'whsec_');
    await reader.choose('button', 'Done');

    await reader.choose('button', 'Send test event');
    const delivery = page.getByRole('dialog', { name: 'Delivery' });
    await reader.sees('Succeeded', delivery.getByText('Succeeded', { exact: true }));
    await delivery.getByText(/^Returned 200 after .*, delivered on attempt 1$/).waitFor();
    await page.keyboard.press('Escape');
    await delivery.waitFor({ state: 'detached' });
    await reader.choose('tab', 'Test receiver');
    const received = (eventType: string) =>
      page.getByRole('table', { name: 'Test receiver' }).getByRole('row').filter({
        hasText: eventType,
      });
    await reader.reads('webhook.test', received('webhook.test'));
    await reader.sees('Signature valid', received('webhook.test').getByText('Signature valid'));

    await reader.choose('link', 'Documents', navigation);
    await reader.choose('link', 'Launch plan');
    await reader.choose('button', 'Publish');
    await page.getByRole('button', { name: 'Status: Published' }).waitFor();
    await reader.choose('link', 'Webhooks', navigation);
    await page.getByRole('link', { name: /\/dashboard\/receivers\// }).click();
    await reader.choose('tab', 'Test receiver');
    await reader.reads('document.published', received('document.published'));
    await reader.sees(
      'Signature valid',
      received('document.published').getByText('Signature valid'),
    );

    await reader.choose('link', 'Overview', navigation);
    await reader.choose('button', 'Try it', step('Send a request (to do)'));
    const trial = page.getByRole('dialog', { name: 'Try it' });
    await reader.choose('button', 'Create key', trial);
    const created = page.getByRole('dialog', { name: 'Key created' });
    await reader.choose('button', 'Send request', created);
    await created.getByText('Returned 201', { exact: true }).waitFor();
    await reader.choose('button', 'Done', created);
    await step('Send a request (done)').waitFor();
    await page.getByText('6 of 7 done').waitFor();
    await reader.sees('First steps', heading('First steps'));
    await reader.sees('Invite a member', step('Invite a member (to do)'));

    const [, section = ''] = readFileSync(GUIDE, 'utf8').split('\n## In the dashboard\n');
    const [guide = ''] = section.split('\n## ');
    const printed = (pattern: RegExp) => [...guide.matchAll(pattern)].map(([, text]) => text);
    expect(printed(/\*\*(.+?)\*\*/g)).toEqual(reader.names);
    expect(printed(/`(.+?)`/g)).toEqual(['Dashboard', ...reader.texts]);
  });
});
