import { BackgroundTasks } from '../../src/platform/background/background-tasks.js';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { exportedArchive, importedArchive } from '../support/jobs.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { passWaits } from '../webhooks/delivery-tools.js';
import { deliveriesOf, register } from '../webhooks/managed-webhook.js';
import { StreamClient } from './stream-client.js';

/** Occurs in every text of these documents, and nowhere else. */
const WORD = 'confidential';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({
    environment: {
      PROCESS_ROLE: 'all',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      WEBHOOK_RETRY_SCHEDULE: '0,86400,86400',
    },
    stopClock: false,
  });
});
afterAll(() => app.close());

interface ShownEvent {
  id: string;
  type: string;
  data: { document: object; changes?: string[]; from?: string };
}

const createConfidential = async (api: ApiClient) =>
  expectSuccess(
    await api.createDocument({
      title: `A ${WORD}`,
      content: `${WORD} {"}`,
      metadata: { project: WORD },
    }),
    201,
  ) as { id: string };

/** Returns every event of the account, as returned by each route. */
async function shown(api: ApiClient, key: string): Promise<Record<string, ShownEvent[]>> {
  const list = (await api.listEvents({ order: 'asc', limit: 100 })).body.data as ShownEvent[];
  const read = await Promise.all(
    list.map(async ({ id }) => (await api.readEvent(id)).body.data as ShownEvent),
  );
  const lastEventId = list[0]?.id ?? '';
  const stream = (await StreamClient.open(app.origin, key, { lastEventId })).listen();
  const streamed: ShownEvent[] = [];
  while (streamed.length < list.length - 1) {
    streamed.push(JSON.parse((await stream.next()).data) as ShownEvent);
  }
  stream.leave();
  return { list, read, streamed };
}

async function removeFor(
  api: ApiClient,
  id: string,
  way: 'at once' | 'from the trash' | 'in time',
) {
  if (way !== 'at once') await api.deleteDocument(id);
  if (way !== 'in time') {
    expectSuccess(await api.deleteDocument(id, { permanent: true }));
    return;
  }
  const age = `UPDATE documents SET deleted_at = now() - interval '31 days' WHERE id = $1`;
  await app.dataSource.query(age, [decodeId('document', id)]);
  await app.app.get(BackgroundTasks).runAll();
}

describe('a permanently deleted document', () => {
  it.each(['at once', 'from the trash', 'in time'] as const)(
    '%s leaves its events, which are marked and contain none of its texts',
    async (way) => {
      const { api, key } = await app.account();
      await api.createDocument({ title: 'Stays' });
      const { id } = await createConfidential(api);
      await api.patchDocument(id, { content: `More ${WORD}`, status: 'published' });
      await removeFor(api, id, way);
      for (const [form, events] of Object.entries(await shown(api, key))) {
        expect(JSON.stringify(events)).not.toContain(WORD);
        const removed = events.filter(({ data }) => 'removed' in data.document);
        expect({ form, removed }).toMatchObject({
          form,
          removed: [
            { type: 'document.created', data: { document: { version: 1, status: 'draft' } } },
            { type: 'document.updated', data: { document: { id, version: 2 } } },
            { type: 'document.status_changed' },
            { type: 'document.published' },
            { type: 'document.deleted', data: { document: { id, status: 'published' } } },
          ],
        });
        for (const { data } of removed) {
          expect(Object.keys(data.document)).toEqual([
            'id',
            'type',
            'status',
            'version',
            'removed',
          ]);
        }
      }
    },
  );

  it('a permanently deleted document keeps its texts in events while it can still be restored', async () => {
    const { api, key } = await app.account();
    await api.createDocument({ title: 'Stays' });
    const { id } = await createConfidential(api);
    await api.deleteDocument(id);
    await app.app.get(BackgroundTasks).runAll();
    const { read } = await shown(api, key);
    expect(read?.map(({ data }) => JSON.stringify(data).includes(WORD))).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('a permanently deleted document leaves none of its texts in the database once the workers have run', async () => {
    const { api, accountId } = await app.account();
    const { id } = await createConfidential(api);
    await api.patchDocument(id, { content: `More ${WORD}` });
    await api.deleteDocument(id, { permanent: true });
    await app.app.get(BackgroundTasks).runAll();
    const rows = await app.dataSource.query<{ text: string }[]>(
      'SELECT full_body || thin_body AS text FROM events WHERE account_id = $1',
      [accountId],
    );
    expect(rows).toHaveLength(3);
    for (const { text } of rows) {
      expect(text).not.toContain(WORD);
      expect(text.match(/"removed":true/g)).toHaveLength(2);
    }
    expect(await app.dataSource.query('SELECT * FROM removed_subjects')).toEqual([]);
  });

  it('a permanently deleted document hides thousands of events at once, and erases them in small batches', async () => {
    const { api, accountId } = await app.account();
    const { id } = await createConfidential(api);
    await app.dataSource.query(
      `INSERT INTO events (id, account_id, type, subject_id, full_body, thin_body, created_at)
       SELECT uuid_v7(), account_id, type, subject_id, full_body, thin_body, created_at
         FROM events, generate_series(1, 2999) WHERE account_id = $1`,
      [accountId],
    );
    await api.deleteDocument(id, { permanent: true });
    const withWord = async () => {
      const [row] = await app.dataSource.query<{ n: number }[]>(
        `SELECT count(*)::int AS n FROM events WHERE account_id = $1 AND full_body LIKE '%${WORD}%'`,
        [accountId],
      );
      return row?.n;
    };
    expect(await withWord()).toBe(3000);
    const [first] = (await api.listEvents({ order: 'asc', limit: 1 })).body.data as ShownEvent[];
    expect((await api.readEvent(first?.id ?? '')).text).not.toContain(WORD);
    await app.app.get(BackgroundTasks).runAll();
    expect(await withWord()).toBe(0);
  });

  it('a permanently deleted document does not hide the events of a document that an import creates again with its ID', async () => {
    const { api, key } = await app.account();
    const { id } = await createConfidential(api);
    const archive = await exportedArchive(api);
    await api.deleteDocument(id, { permanent: true });
    expect(await importedArchive(api, archive)).toMatchObject({ status: 'succeeded' });
    await api.patchDocument(id, { title: `Again ${WORD}` });
    for (let round = 0; round < 2; round += 1) {
      const { read } = await shown(api, key);
      const texts = read?.map((event) => JSON.stringify(event).includes(WORD));
      expect(texts).toEqual([false, false, true]);
      await app.app.get(BackgroundTasks).runAll();
    }
  });
});

describe('a delivery about a permanently deleted document', () => {
  let receiver: WebhookReceiver;
  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
  });
  afterEach(() => receiver.close());

  it('a delivery about a permanently deleted document is still sent, with the same ID and the marked event', async () => {
    const { api } = await app.account();
    // Echoes the request, as receivers do while they are being debugged.
    receiver.behave(({ text }, response) => response.writeHead(500).end(text));
    const webhook = await register(api, { url: receiver.url, events: ['document.created'] });
    const { id } = await createConfidential(api);
    const [first] = await receiver.gets(1);
    const [delivery] = await eventually(
      () => deliveriesOf(api, webhook),
      ([found]) => found?.attemptCount === 1,
    );
    const details = async () => (await api.readDelivery(webhook, delivery?.id ?? '')).text;
    expect(await details()).toContain(WORD);
    await api.deleteDocument(id, { permanent: true });
    expect(await details()).not.toContain(WORD);
    receiver.behave((_, response) => response.writeHead(204).end());
    await passWaits(app.dataSource);
    const [, second] = await receiver.gets(2);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.text).not.toContain(WORD);
    expect(second?.event).toMatchObject({
      type: 'document.created',
      data: { document: { id, version: 1, removed: true } },
    });
    await eventually(
      () => deliveriesOf(api, webhook),
      ([found]) => found?.status === 'succeeded',
    );
    await api.redeliver(webhook, delivery?.id ?? '');
    const [, , third] = await receiver.gets(3);
    expect(third?.text).toBe(second?.text);
    await app.app.get(BackgroundTasks).runAll();
    await eventually(
      () => deliveriesOf(api, webhook),
      ([found]) => found?.status === 'succeeded' && found.attemptCount === 3,
    );
    await api.redeliver(webhook, delivery?.id ?? '');
    const [, , , fourth] = await receiver.gets(4);
    expect(fourth?.text).toBe(second?.text);
    expect(await details()).not.toContain(WORD);
  });
});

describe('the retry of a request whose document was permanently deleted', () => {
  it.each([
    ['short', 'x'],
    ['long', 'x'.repeat(10_000)],
    ['no', ''],
  ])(
    'the retry of a request whose document was permanently deleted learns that it does not exist, with %s content',
    async (_, content) => {
      const { api } = await app.account();
      const keyed = { 'Idempotency-Key': 'k' };
      const body = { title: WORD, content };
      const made = await api.createDocument(body, keyed);
      const { id } = expectSuccess(made, 201) as { id: string };
      expect((await api.createDocument(body, keyed)).body.data).toEqual(made.body.data);
      await api.deleteDocument(id, { permanent: true });
      expectFailure(await api.createDocument(body, keyed), 404, 'NOT_FOUND');
      expectFailure(await api.readDocument(id), 404, 'NOT_FOUND');
    },
  );

  it('the retry of a request whose document was permanently deleted learns that for a batch too', async () => {
    const { api } = await app.account();
    const options = {
      body: { operations: [{ op: 'create', document: { title: WORD } }] },
      headers: { 'Idempotency-Key': 'k' },
    };
    const made = await api.send('POST', '/v1/documents/batch', options);
    const [result] = (made.body.data as { results: { data: { id: string } }[] }).results;
    await api.deleteDocument(result?.data.id ?? '', { permanent: true });
    expectFailure(await api.send('POST', '/v1/documents/batch', options), 404, 'NOT_FOUND');
  });
});
