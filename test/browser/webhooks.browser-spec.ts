import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import {
  accessibilityFindingsInBothSchemes,
  clipboardWith,
  describeInBrowser,
  filterBy,
  useDashboard,
  timePassesUntil,
  waitForCount,
  waitForValue,
  type Visitor,
} from './support/dashboard.js';

interface Received {
  headers: Record<string, string>;
  body: string;
}

/** A receiver that the test controls. */
class Receiver {
  status = 200;
  readonly received: Received[] = [];
  private readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      this.received.push({ headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(this.status, { 'content-type': 'text/plain' });
      response.end(`<b>status ${String(this.status)}</b>`);
    });
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${String(port)}/hooks`;
  }

  close(): void {
    this.server.close();
  }
}

/** Calls `/v1` of the account as this person, outside the page. */
async function call(visitor: Visitor, method: string, path: string, data?: unknown): Promise<any> {
  const { origin } = new URL(visitor.page.url());
  const reply = await visitor.page.request.fetch(
    `${origin}/dashboard/api/accounts/${visitor.accountId}/v1/${path}`,
    { method, data, headers: { Origin: origin, 'X-Dashboard-Request': '1' } },
  );
  const body = (await reply.json()) as { data: unknown };
  if (!reply.ok()) throw new Error(JSON.stringify(body));
  return body.data;
}

/** Chooses an item of the menu of the open webhook. */
async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions for this webhook' }).click();
  await page.getByRole('menuitem', { name }).click();
}

async function createWebhook(page: Page, url: string | undefined): Promise<string> {
  await page.getByRole('button', { name: 'Create webhook' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create webhook' });
  if (url === undefined) {
    await dialog.getByRole('button', { name: 'Use test receiver' }).click();
    await waitForValue(dialog.getByLabel('URL'), '/dashboard/receivers/');
  } else {
    await dialog.getByLabel('URL').fill(url);
  }
  await dialog.getByRole('button', { name: 'Create webhook', exact: true }).click();
  const secret = page.getByRole('textbox', { name: 'Signing secret' });
  const value = await waitForValue(secret, 'whsec_');
  await page.getByRole('button', { name: 'Copy secret' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.waitForURL(/\/webhooks\/wh_/);
  await page.getByRole('tab', { name: 'Deliveries' }).waitFor();
  return value;
}

/** As the list shows an address. */
const hostAndPath = (url: string) => url.replace(/^https?:\/\//, '').replace(/\/$/, '');

describeInBrowser('Webhooks in the dashboard', () => {
  const dashboard = useDashboard();
  const receivers: Receiver[] = [];
  afterAll(() => {
    for (const receiver of receivers) receiver.close();
  });

  async function receiverThatResponds(status: number) {
    const receiver = new Receiver();
    receiver.status = status;
    receivers.push(receiver);
    return { receiver, url: await receiver.listen() };
  }

  it('Webhooks in the dashboard lead a new user from nothing to a delivery with a valid signature', async () => {
    const { page, context, open } = await dashboard.visitor();
    await context.clock.install();
    await open('webhooks');
    const secret = await createWebhook(page, undefined);
    expect(secret).toMatch(/^whsec_/);

    await page.getByRole('button', { name: 'Send test event' }).click();
    const panel = page.getByRole('dialog', { name: 'Delivery' });
    const responded = panel.getByText(/^Returned 200 after .*, delivered on attempt 1$/);
    await timePassesUntil(context, () => responded.isVisible());
    const valid = panel.getByText('Signature valid');
    await timePassesUntil(context, () => valid.isVisible());
    await page.waitForURL(/\/webhooks\/wh_\w+\/deliveries\/dlv_\w+$/);
    await panel.getByRole('region', { name: 'Request headers' }).getByText('webhook-id').waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    const curl = panel.getByRole('button', { name: 'Copy as curl' });
    await curl.click();
    expect(await clipboardWith(page, 'curl ')).toMatch(
      /^curl -i \\\n {2}'http[^]*-H 'webhook-signature: v1,[^]*--data-binary '\{"id":"evt_/,
    );
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });

    await page.getByRole('tab', { name: 'Test receiver' }).click();
    await page.getByText('Signature valid').waitFor();
    await page.waitForURL(({ search }) => search === '?tab=receiver');
    await page.goBack();
    await page.getByRole('table', { name: 'Deliveries' }).waitFor();
  });

  it('Webhooks in the dashboard show a program that verifies deliveries and refuses altered ones', async () => {
    const { page, open } = await dashboard.visitor();
    const { receiver, url } = await receiverThatResponds(200);
    await open('webhooks');
    const secret = await createWebhook(page, url);
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page
      .getByText(/^Returned 200/)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Settings' }).click();
    const program = page.getByRole('region', { name: 'Verify a signature in Node' });
    const folder = mkdtempSync(join(tmpdir(), 'verify-'));
    writeFileSync(join(folder, 'verify.mjs'), await program.innerText());
    writeFileSync(
      join(folder, 'run.mjs'),
      `import { verify } from './verify.mjs';
       const { headers, body } = JSON.parse(process.argv[2]);
       console.log(verify(headers, Buffer.from(body)).type);`,
    );
    const verified = (delivery: Received) =>
      execFileSync('node', ['run.mjs', JSON.stringify(delivery)], {
        cwd: folder,
        env: { ...process.env, WEBHOOK_SECRET: secret },
        stdio: 'pipe',
        encoding: 'utf8',
      }).trim();
    const [delivery] = receiver.received;
    if (!delivery) throw new Error('Nothing was received.');
    expect(verified(delivery)).toBe('webhook.test');
    expect(() => verified({ ...delivery, body: `${delivery.body} ` })).toThrow(/No signature/);
    const old = { ...delivery.headers, 'webhook-timestamp': '1700000000' };
    expect(() => verified({ ...delivery, headers: old })).toThrow(/five minutes/);
  });

  it('Webhooks in the dashboard say why and since when they are disabled, and send what was missed when they are enabled', async () => {
    const visitor = await dashboard.visitor();
    const { page, context, open } = visitor;
    await context.clock.install();
    const { receiver, url } = await receiverThatResponds(500);
    await open('webhooks');
    await createWebhook(page, url);
    await call(visitor, 'POST', 'documents', { title: 'First', content: 'Text' });
    const deliveries = page.getByRole('table', { name: 'Deliveries' });
    const refused = deliveries.getByText(/^Returned 500, next attempt/);
    await timePassesUntil(context, () => refused.isVisible());
    await deliveries.getByRole('link', { name: 'document.created' }).click();
    const panel = page.getByRole('dialog', { name: 'Delivery' });
    await panel
      .getByText(/^Returned 500 after .*; (next attempt|retrying now).*, attempt \d of 10$/)
      .waitFor();
    // The response of a receiver is shown as text, whatever it contains.
    await panel.getByRole('region', { name: 'Response body' }).getByText('<b>status').waitFor();

    receiver.status = 410;
    await panel.getByRole('button', { name: 'Redeliver' }).click();
    await panel.getByText(/^Returned 410 after .*; failed/).waitFor();
    await page.keyboard.press('Escape');
    const alert = page.getByRole('alert').filter({ hasText: 'Webhook disabled' });
    await alert.getByText(/410 Gone.*Disabled (just now|.* ago)\./).waitFor();
    await page.getByRole('button', { name: 'Actions for this webhook' }).click();
    const recovery = page.getByRole('menuitem', { name: 'Recover deliveries' });
    await recovery.and(page.getByTitle('Enable the webhook first.')).waitFor();
    await page.keyboard.press('Escape');
    await open('webhooks');
    await page
      .getByRole('row', { name: new RegExp(hostAndPath(url)) })
      .getByText(/410 Gone/)
      .waitFor();
    await page.getByRole('link', { name: hostAndPath(url) }).click();

    receiver.status = 200;
    await page.getByRole('button', { name: 'Enable' }).click();
    await alert.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Failed', exact: true }).click();
    await page.waitForURL(({ search }) => search === '?status=failed');
    await page.getByRole('button', { name: 'Resend all 1' }).waitFor();
    await choose(page, 'Recover deliveries');
    const recover = page.getByRole('dialog', { name: 'Recover' });
    await recover.getByText(/^1 delivery to resend/).waitFor();
    await recover.getByRole('button', { name: 'Recover' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: '1 delivery queued for resending.' })
      .waitFor();
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await deliveries.getByText('Returned 200').waitFor();
  });

  it('Webhooks in the dashboard move between deliveries with keys, and keep their settings and secrets', async () => {
    const visitor = await dashboard.visitor();
    const { page, context, open } = visitor;
    await context.clock.install();
    const { url } = await receiverThatResponds(200);
    await open('webhooks');
    await createWebhook(page, url);
    await call(visitor, 'POST', 'documents', { title: 'First', content: 'Text' });
    await call(visitor, 'POST', 'documents', { title: 'Second', content: 'Text' });
    const links = page
      .getByRole('table', { name: 'Deliveries' })
      .getByRole('link', { name: 'document.created' });
    await timePassesUntil(context, () => links.nth(1).isVisible());
    await links.first().click();
    const panel = page.getByRole('dialog', { name: 'Delivery' });
    await panel.getByRole('button', { name: 'Redeliver' }).waitFor();
    const first = page.url();
    await page.keyboard.press('j');
    await page.waitForURL((at) => at.href !== first);
    await page.keyboard.press('k');
    await page.waitForURL(first);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });

    const rows = page.getByRole('table', { name: 'Deliveries' }).getByRole('row');
    const [older] = (await call(visitor, 'GET', 'deliveries?order=asc')) as Record<
      string,
      string
    >[];
    for (const id of [older?.['id'], older?.['eventId']]) {
      await filterBy(page, 'Delivery or event ID', ` ${String(id)} `);
      await waitForCount(rows, 2);
      await page.locator(`[data-id="${String(older?.['id'])}"]`).waitFor();
      await rows.getByRole('link', { name: 'First', exact: true }).waitFor();
    }
    // Half an ID finds nothing, so it is not sent.
    await filterBy(page, 'Delivery or event ID', 'dlv_01kam');
    await page.getByText('Enter a complete value').waitFor();
    await page.keyboard.press('Escape');
    await waitForCount(rows, 2);
    await filterBy(page, 'Delivery or event ID', 'evt_01kam3k0v5e0rbk1y2c9q4w7zt');
    await page.getByText('No deliveries with this ID.').waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show all deliveries' }).click();
    await waitForCount(rows, 3);

    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('option', { name: /^webhook\.test/ }).click();
    await page.getByRole('button', { name: 'webhook.test, remove' }).waitFor();
    await page.getByText('Advanced', { exact: false }).first().click();
    await page.getByLabel('Payload').selectOption('thin');
    await page.getByLabel('Description').fill('Search index');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
    await choose(page, 'Rotate secret');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Rotate secret', exact: true })
      .click();
    await waitForValue(page.getByRole('textbox', { name: 'Signing secret' }), /^whsec_/);
    await page.keyboard.press('Escape');
    await page.getByText('Leave without copying?').waitFor();
    await page.getByRole('button', { name: 'Leave without copying' }).click();
    await choose(page, 'Delete webhook');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No webhooks yet.').waitFor();
  });

  it('Webhooks in the dashboard select events with the keyboard alone, from a field that searches them', async () => {
    const visitor = await dashboard.visitor();
    const { page, open } = visitor;
    await open('webhooks?dialog=create-webhook');
    const dialog = page.getByRole('dialog', { name: 'Create webhook' });
    await dialog.getByRole('button', { name: 'Use test receiver' }).click();
    // Continues with the next field.
    const search = dialog.getByRole('combobox', { name: 'Events' });
    await search.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('all document');
    await page.keyboard.press('ArrowDown');
    const pattern = dialog.getByRole('option', { name: /^document\.\*/ });
    const id = await pattern.getAttribute('id');
    await page.locator(`[aria-activedescendant="${String(id)}"]`).waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByText('No events selected').waitFor();
    await page.keyboard.press('Escape');
    // All events are listed again.
    await dialog.getByRole('option', { name: /^webhook\.test/ }).waitFor();
    await page.keyboard.type('document.publi');
    await waitForCount(dialog.getByRole('listbox').getByRole('option'), 1);
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'document.published, remove' }).waitFor();
    await dialog.getByRole('option', { name: /^document\.published/, selected: true }).waitFor();
    expect(await accessibilityFindingsInBothSchemes(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 700 });
    // The buttons stay visible while the fields scroll.
    await dialog.getByText('Payload, filter, headers').click();
    const submit = dialog.getByRole('button', { name: 'Create webhook', exact: true });
    const box = await submit.boundingBox();
    expect((box?.y ?? 700) + (box?.height ?? 0)).toBeLessThanOrEqual(700);
    await submit.click();
    await page.getByRole('dialog', { name: 'Webhook created' }).waitFor();
    const [webhook] = (await call(visitor, 'GET', 'webhooks')) as { events: string[] }[];
    expect(webhook?.events).toEqual(['document.published']);
    await page.getByRole('button', { name: 'Copy secret' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
  });

  it('Webhooks in the dashboard send custom headers, and only documents that match the filter in the form', async () => {
    const visitor = await dashboard.visitor();
    const { page, open } = visitor;
    const { receiver, url } = await receiverThatResponds(200);
    await open('webhooks');
    await createWebhook(page, url);
    const address = page.url();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByText('Payload, filter, headers').click();
    await page.getByLabel('Report', { exact: true }).check();
    await page.getByLabel('Tags').fill('red, green\nblue');
    await page.getByLabel('Headers').fill('X-Team: search\nAuthorization: Bearer of-the-receiver');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
    const document = { title: 'Tagged', content: 'Text', type: 'report' };
    await call(visitor, 'POST', 'documents', { ...document, metadata: { tags: ['green'] } });
    await call(visitor, 'POST', 'documents', {
      ...document,
      type: 'article',
      metadata: { tags: ['blue'] },
    });
    const { id } = await call(visitor, 'POST', 'documents', {
      ...document,
      metadata: { tags: ['red, green'] },
    });

    await page.goto(address);
    const links = page
      .getByRole('table', { name: 'Deliveries' })
      .getByRole('link', { name: 'document.created' });
    await page.getByText('Returned 200').first().waitFor();
    await waitForCount(links, 1);
    expect(receiver.received).toHaveLength(1);
    const [{ headers, body }] = receiver.received as [Received];
    expect(headers).toMatchObject({
      'x-team': 'search',
      authorization: 'Bearer of-the-receiver',
    });
    expect(body).toContain(id);

    await page.getByRole('tab', { name: 'Settings' }).click();
    // Stored values are shown by their last characters only.
    expect(await waitForValue(page.getByLabel('Headers'), /./)).not.toContain('of-the-receiver');
    await waitForValue(page.getByLabel('Tags'), /^red, green\nblue$/);
    await page.getByLabel('Description').fill('Reports');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
    await call(visitor, 'POST', 'documents', { ...document, metadata: { tags: ['blue'] } });
    await page.goto(address);
    await links.nth(1).waitFor();
    const second = await eventually(() => receiver.received[1]);
    expect(second?.headers.authorization).toBe('Bearer of-the-receiver');
  });

  it('Webhooks in the dashboard filter by status, metadata and changed fields, as the form says', async () => {
    const visitor = await dashboard.visitor();
    const { page, open } = visitor;
    const { url } = await receiverThatResponds(200);
    await open('webhooks');
    await createWebhook(page, url);
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByText('Payload, filter, headers').click();
    const filter = async () => {
      const [webhook] = (await call(visitor, 'GET', 'webhooks')) as { filter: unknown }[];
      return webhook?.filter;
    };
    const save = async () => {
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('status').filter({ hasText: 'Saved' }).first().waitFor();
    };
    await page.getByLabel('In review').check();
    await page
      .getByLabel('Metadata values')
      .fill('client.tier: gold\nclient.tier: silver\nregion: eu');
    await page.getByRole('group', { name: 'Changed fields' }).getByLabel('Status').check();
    await page.getByLabel('Changed metadata').fill('client.tier');
    await save();
    expect(await filter()).toEqual({
      statuses: ['in_review'],
      changes: ['status', 'metadata.client.tier'],
      metadata: { 'client.tier': ['gold', 'silver'], region: ['eu'] },
    });
    await page.reload();
    await waitForValue(
      page.getByLabel('Metadata values'),
      /^client.tier: gold\nclient.tier: silver\nregion: eu$/,
    );
    await page.getByLabel('Metadata values').fill('region: us');
    await page.getByLabel('Changed metadata').fill('');
    await page.getByLabel('In review').uncheck();
    await save();
    expect(
      await eventually(filter, (shown) => !Object.hasOwn(shown as object, 'statuses')),
    ).toEqual({ changes: ['status'], metadata: { region: ['us'] } });
  });

  it('Webhooks in the dashboard can be viewed but not changed by a viewer', async () => {
    const visitor = await dashboard.visitor();
    const { page, open, accountId } = visitor;
    const { url } = await receiverThatResponds(200);
    await open('webhooks');
    await createWebhook(page, url);
    await dashboard.app.dataSource.query(
      `UPDATE members SET role = 'viewer' WHERE user_id IN (SELECT id FROM users WHERE email = $1)`,
      [visitor.email],
    );
    expect(accountId).toMatch(/^acct_/);
    await page.reload();
    const send = page.getByRole('button', { name: 'Send test event', disabled: true });
    await send.and(page.getByTitle('viewer')).waitFor();
  });
});
