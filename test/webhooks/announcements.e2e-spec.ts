import { Client } from 'pg';
import { AnalysisProviders } from '../../src/features/analysis/providers/analysis-providers.js';
import { eventRow, insertEvents } from '../../src/features/events/outbox.js';
import { decodeId, newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import { WordListProvider } from '../analysis/word-list-provider.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { respondWith, WebhookReceiver } from '../support/webhook-receiver.js';
import { emit, register as registerAt, untilStatus } from './delivery-tools.js';
import { attempt, create, deliveriesOf, register } from './managed-webhook.js';

/** Hears what workers hear. */
class Listener {
  /** The webhooks of notifications, and how many of their deliveries were due for a reader at that moment. */
  readonly webhooks: { id: string; due: number }[] = [];
  /** Payloads of the channel `jobs`. */
  readonly jobs: string[] = [];

  /** A connection runs one statement at a time. */
  private looking = Promise.resolve();

  private constructor(private readonly client: Client) {
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === 'jobs') this.jobs.push(payload);
      // A worker that starts sends an empty payload.
      else
        for (const id of payload.split(','))
          if (id !== '') this.looking = this.looking.then(() => this.look(id));
    });
  }

  static async start({ dataSource }: TestApp): Promise<Listener> {
    const { url } = dataSource.options as { url: string };
    const client = new Client({ connectionString: url });
    const listener = new Listener(client);
    await client.connect();
    await client.query('LISTEN webhook_deliveries; LISTEN jobs');
    return listener;
  }

  /** Resolves once the webhook has been heard of. Its id is public. */
  async hears(webhook: string): Promise<{ due: number }> {
    const id = decodeId('webhook', webhook);
    const heard = await eventually(() => this.webhooks.find((one) => one.id === id));
    return heard ?? { due: 0 };
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  private async look(id: string): Promise<void> {
    const { rows } = await this.client.query<{ due: number }>(
      `SELECT count(*)::integer AS due FROM webhook_deliveries
        WHERE webhook_id = $1 AND status = 'pending' AND next_attempt_at <= clock_timestamp()`,
      [id],
    );
    this.webhooks.push({ id, due: rows[0]?.due ?? 0 });
  }
}

const keyed = () => ({ 'Idempotency-Key': newUuid() });
const markdown = { name: 'a.md', type: 'text/markdown', content: '# Title\n\nText.' };

describe('A worker is notified after the commit', () => {
  let app: TestApp;
  let listener: Listener;
  beforeAll(async () => {
    app = await startTestApp();
    listener = await Listener.start(app);
  });
  afterAll(async () => {
    await listener.close();
    await app.close();
  });

  type Write = (api: ApiClient, documentId: string) => Promise<{ status: number; text: string }>;
  const path = (id: string) => `/v1/documents/${id}`;

  it.each<[string, Write]>([
    ['a new document', (api) => api.createDocument({ title: 'A' })],
    ['one with an external id', (api) => api.createDocument({ title: 'A', externalId: 'a-1' })],
    ['one with an Idempotency-Key', (api) => api.createDocument({ title: 'A' }, keyed())],
    ['a patch', (api, id) => api.patchDocument(id, { title: 'B' })],
    ['a new external id', (api, id) => api.patchDocument(id, { externalId: 'b-1' })],
    ['a replacement', (api, id) => api.replaceDocument(id, { title: 'B' })],
    ['an edit', (api, id) => api.editDocument(id, [{ op: 'append', text: ' two' }])],
    ['a copy', (api, id) => api.send('POST', `${path(id)}/copy`)],
    ['a restored version', (api, id) => api.send('POST', `${path(id)}/versions/1/restore`)],
    ['a document moved to the trash', (api, id) => api.deleteDocument(id)],
    ['a permanent removal', (api, id) => api.deleteDocument(id, { permanent: true })],
    ['an imported file', (api) => api.importDocument(markdown)],
    [
      'an imported file with an Idempotency-Key',
      (api) => api.importDocument(markdown, {}, keyed()),
    ],
    ...[{}, { atomic: true }].flatMap((mode): [string, Write][] =>
      [{}, keyed()].map((headers) => [
        `a batch (${JSON.stringify(mode)}, ${Object.keys(headers).join() || 'no key'})`,
        (api, id) =>
          api.batchDocuments(
            {
              operations: [
                { op: 'create', document: { title: 'C' } },
                { op: 'delete', id },
              ],
              ...mode,
            },
            headers,
          ),
      ]),
    ),
  ])('of %s', async (_, write) => {
    const { api } = await app.account();
    const created = await api.createDocument({ title: 'A', content: 'one' });
    const { id } = expectSuccess(created, 201) as { id: string };
    await api.patchDocument(id, { title: 'A, changed' });
    // Earlier events have no deliveries.
    const webhook = await register(api);
    const written = await write(api, id);
    expect({ ...written, isDone: written.status < 300 }).toMatchObject({ isDone: true });
    expect((await listener.hears(webhook)).due).toBeGreaterThan(0);
  });

  it('A worker is notified after the commit of a document restored from the trash', async () => {
    const { api } = await app.account();
    const [id = ''] = await create(api);
    expectSuccess(await api.deleteDocument(id));
    const webhook = await register(api);
    expectSuccess(await api.restoreDocument(id));
    expect(await listener.hears(webhook)).toMatchObject({ due: 1 });
  });

  it('A worker is notified after the commit of a test event, also with an Idempotency-Key', async () => {
    const { api } = await app.account();
    for (const headers of [{}, keyed()]) {
      const webhook = await register(api);
      const tested = await api.send('POST', `/v1/webhooks/${webhook}/test`, { headers });
      expectSuccess(tested, 202);
      expect(await listener.hears(webhook)).toMatchObject({ due: 1 });
    }
  });

  it('A worker is notified after the commit of a webhook that its account disables, unless it is that webhook', async () => {
    const { api } = await app.account();
    const disabled = await register(api);
    const other = await register(api);
    expectSuccess(await api.patchWebhook(disabled, { status: 'disabled' }));
    expect(await listener.hears(other)).toMatchObject({ due: 1 });
    expect(listener.webhooks).not.toContainEqual(
      expect.objectContaining({ id: decodeId('webhook', disabled) }),
    );
  });

  it.each<[string, (api: ApiClient, webhook: string, delivery: string) => Promise<unknown>]>([
    ['a redelivery', (api, webhook, delivery) => api.redeliver(webhook, delivery)],
    ['a recovery', (api, webhook) => api.recover(webhook, { since: '2026-01-01T00:00:00Z' })],
  ])('of %s', async (_, again) => {
    const { api } = await app.account();
    const webhook = await register(api);
    await create(api);
    await listener.hears(webhook);
    const [delivery] = await deliveriesOf(api, webhook);
    await attempt(app.dataSource, delivery?.id ?? '', 'failed');
    listener.webhooks.length = 0;
    await again(api, webhook, delivery?.id ?? '');
    expect(await listener.hears(webhook)).toMatchObject({ due: 1 });
  });

  it('A worker is notified after the commit of deliveries whose paused receiver is replaced', async () => {
    const { api } = await app.account();
    const webhook = await register(api);
    await app.dataSource.query(
      `UPDATE webhooks SET circuit_opened_at = now(), circuit_probe_at = now() + interval '1 hour',
              consecutive_failures = 10, failing_since = now() WHERE id = $1`,
      [decodeId('webhook', webhook)],
    );
    await create(api);
    expectSuccess(await api.patchWebhook(webhook, { url: 'https://other.example/webhooks' }));
    await listener.hears(webhook);
    // The circuit was open when the document was created, so only the change was announced.
    expect(listener.webhooks.filter(({ id }) => id === decodeId('webhook', webhook))).toHaveLength(
      1,
    );
  });

  it('A worker is notified after the commit of nothing when the write was rolled back, although a delivery is due', async () => {
    const { api } = await app.account();
    const webhook = await register(api);
    const [document = ''] = await create(api);
    await listener.hears(webhook);
    listener.webhooks.length = 0;

    const operations = [
      { op: 'create', document: { title: 'A' } },
      { op: 'update', id: document, patch: { title: 'B' } },
      { op: 'delete', id: 'doc_01h455vb4pex5vsknk084sn02q' },
    ];
    for (const headers of [{}, keyed()]) {
      const batch = await api.batchDocuments({ operations, atomic: true }, headers);
      expect(batch.text).toContain('NOT_FOUND');
    }
    await api.createDocument({ title: 'A', externalId: 'taken' });
    await listener.hears(webhook);
    listener.webhooks.length = 0;
    for (const headers of [{}, keyed()]) {
      const refused = await api.createDocument({ title: 'A', externalId: 'taken' }, headers);
      expectFailure(refused, 409, 'INVALID_REQUEST');
    }

    const { api: other } = await app.account();
    const last = await register(other);
    await create(other);
    await listener.hears(last);
    expect(listener.webhooks.map(({ id }) => id)).toEqual([decodeId('webhook', last)]);
  });

  it('A worker is notified after the commit of all webhooks with something due, in notifications that PostgreSQL accepts', async () => {
    const accounts = await Promise.all([1, 2, 3].map(() => app.account()));
    const ids = accounts.map(({ accountId }) => accountId);
    await app.dataSource.query(
      `INSERT INTO webhooks (id, account_id, url, events, payload, secret_encrypted, secret_preview, created_at, updated_at)
       SELECT uuid_v7(), account, 'https://receiver.example', '{*}', 'thin', '', '', now(), now()
         FROM unnest($1::uuid[]) AS account, generate_series(1, 100)`,
      [ids],
    );
    listener.webhooks.length = 0;
    for (const { accountId } of accounts) {
      const event = eventFor(accountId);
      await app.dataSource.query(insertEvents('$1'), [JSON.stringify([event])]);
    }
    await app.dataSource.query('SELECT announce_due($1)', [ids]);
    await eventually(() => listener.webhooks.length >= 300);
    expect(new Set(listener.webhooks.map(({ id }) => id)).size).toBe(300);
  });

  it('A worker is notified after the commit of a job and of its cancellation', async () => {
    const { api } = await app.account();
    listener.jobs.length = 0;
    const { id } = expectSuccess(await api.exportAccount(keyed()), 202) as { id: string };
    await eventually(() => listener.jobs.includes(''));
    expectSuccess(await api.cancelJob(id));
    await eventually(() => listener.jobs.includes(decodeId('job', id) ?? ''));
  });
});

function eventFor(accountId: string) {
  return eventRow({
    type: 'document.updated',
    accountId,
    subjectId: newUuid(),
    at: new Date(),
    actor: null,
    requestId: null,
    fullData: '{}',
    thinData: '{}',
  });
}

describe('A worker', () => {
  let app: TestApp;
  let listener: Listener;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    app = await startTestApp({
      environment: { PROCESS_ROLE: 'all', WEBHOOK_RETRY_SCHEDULE: '0,60' },
      overrides: [[AnalysisProviders, new WordListProvider()]],
      stopClock: false,
    });
    listener = await Listener.start(app);
    receiver = await WebhookReceiver.start();
  });
  afterAll(async () => {
    await receiver.close();
    await listener.close();
    await app.close();
  });

  it('A worker announces the events that it writes itself', async () => {
    const { api, accountId } = await app.account();
    await registerAt(api, receiver.url, { events: ['document.*'] });
    const watcher = await register(api, { events: ['webhook.*'] });
    receiver.behave(respondWith(410));
    await emit(app.dataSource, accountId);
    await listener.hears(watcher);
  });

  it('A worker announces the events of its jobs', async () => {
    const { api } = await app.account();
    const [id = ''] = await create(api);
    const watcher = await register(api, { events: ['document.enhanced'] });
    expect((await api.enhanceDocument(id, {})).status).toBeLessThan(300);
    await listener.hears(watcher);
  });

  it('A worker delivers without a notification what a process committed before it died', async () => {
    receiver.behave(respondWith(204));
    const { api, accountId } = await app.account();
    const webhook = await registerAt(api, receiver.url);
    listener.webhooks.length = 0;
    await app.dataSource.query(insertEvents('$1'), [JSON.stringify([eventFor(accountId)])]);
    await untilStatus(app.dataSource, webhook, 'succeeded');
    expect(listener.webhooks).not.toContainEqual(expect.objectContaining({ id: webhook }));
  });
});
