import { inspect } from 'node:util';
import { encodeId } from '../../src/identifiers/identifiers.js';
import { Log } from '../../src/log/log.js';
import { SecretBox, SecretUnreadableError } from '../../src/secrets/secret-box.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const SECRET = 'whsec_aW4gbm8gY29sdW1uIGFuZCBpbiBubyBhbnN3ZXI=';

interface Stored {
  id: string;
  secret_encrypted: Buffer;
}

describe('the secret of a webhook', () => {
  it('is in no answer and in no column of the database in clear', async () => {
    const { api, accountId } = await app.account();
    const registered = await api.registerWebhook({
      url: 'https://example.com',
      events: ['*'],
      secret: SECRET,
    });
    const { id } = expectSuccess(registered, 201) as { id: string };
    await api.createDocument({ title: 'An event for the webhook' });
    const answers = [
      registered,
      await api.readWebhook(id),
      await api.listWebhooks(),
      await api.listEvents(),
    ];
    for (const { text } of answers) {
      expect(text).not.toContain(SECRET.slice(6));
      expect(text).not.toContain('"secret"');
    }
    for (const table of await tablesOfAccounts()) {
      const rows: { row: string }[] = await app.dataSource.query(
        `SELECT item::text AS row FROM ${table} AS item WHERE account_id = $1`,
        [accountId],
      );
      for (const { row } of rows) {
        expect(row).not.toContain(SECRET.slice(6));
        expect(row).not.toContain(Buffer.from(SECRET).toString('hex'));
      }
    }
  });

  it('is refused without being repeated', async () => {
    const { api } = await app.account();
    const response = await api.registerWebhook({
      url: 'nowhere',
      events: [],
      secret: `${SECRET}!`,
    });
    expect(response.status).toBe(400);
    expect(response.text).not.toContain(SECRET.slice(6));
  });

  it('is in no line of the log, also when the webhook cannot be stored', async () => {
    const { api } = await app.account();
    const log = app.app.get(Log);
    const lines = (['info', 'warn', 'error'] as const).map((level) => jest.spyOn(log, level));
    await app.dataSource.query(
      'ALTER TABLE webhooks ADD CONSTRAINT refused CHECK (false) NOT VALID',
    );
    const webhook = { url: 'https://example.com', events: ['*'], secret: SECRET };
    const response = await api.registerWebhook(webhook);
    await app.dataSource.query('ALTER TABLE webhooks DROP CONSTRAINT refused');
    expectFailure(response, 500, 'INTERNAL_ERROR');
    const written = inspect(
      lines.map(({ mock }) => mock.calls),
      { depth: null },
    );
    expect(written).toContain(response.body.meta.requestId);
    expect(written).not.toContain(SECRET.slice(6));
  });

  it('can be read again by the service, in its own row only', async () => {
    const { api } = await app.account();
    const ids: string[] = [];
    for (const url of ['https://example.com/1', 'https://example.com/2']) {
      const registered = await api.registerWebhook({ url, events: ['*'], secret: SECRET });
      ids.push((registered.body.data as { id: string }).id);
    }
    const stored: Stored[] = await app.dataSource.query(
      'SELECT id, secret_encrypted FROM webhooks',
    );
    const [one, other] = ids.map((id) => stored.find((row) => encodeId('webhook', row.id) === id));
    if (!one || !other) throw new Error('Both webhooks are in the database.');
    const box = app.app.get(SecretBox, { strict: false });
    expect(box.open(one.secret_encrypted, one.id)).toBe(SECRET);
    expect(() => box.open(one.secret_encrypted, other.id)).toThrow(SecretUnreadableError);
  });
});

async function tablesOfAccounts(): Promise<string[]> {
  const tables: { name: string }[] = await app.dataSource.query(
    `SELECT table_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = 'account_id'`,
  );
  expect(tables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['webhooks', 'events', 'webhook_deliveries']),
  );
  return tables.map(({ name }) => name);
}
