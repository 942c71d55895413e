import { inspect } from 'node:util';
import { encodeId, decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { Log } from '../../src/platform/operation/log.js';
import { SecretBox, SecretUnreadableError } from '../../src/platform/secrets/secret-box.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { register, row } from './managed-webhook.js';

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
  it('the secret of a webhook is in no response, and in no database column in plain text', async () => {
    const { api, accountId } = await app.account();
    const registered = await api.registerWebhook({
      url: 'https://example.com',
      events: ['*'],
      secret: SECRET,
    });
    const { id } = expectSuccess(registered, 201) as { id: string };
    await api.createDocument({ title: 'An event for the webhook' });
    const responses = [
      registered,
      await api.readWebhook(id),
      await api.listWebhooks(),
      await api.listEvents(),
    ];
    for (const { text } of responses) {
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

  it('the secret of a webhook is refused without being repeated', async () => {
    const { api } = await app.account();
    const response = await api.registerWebhook({
      url: 'nowhere',
      events: [],
      secret: `${SECRET}!`,
    });
    expect(response.status).toBe(400);
    expect(response.text).not.toContain(SECRET.slice(6));
  });

  it('the secret of a webhook is in no log line, even if the webhook cannot be stored', async () => {
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

  it('the secret of a webhook can be decrypted by the service, only in its own row', async () => {
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

const DAY_MS = 24 * 60 * 60 * 1000;
const FIRST = 'the first secret of this webhook';
const SECOND = 'the second secret of this webhook';

/** Returns the secrets that sign a delivery now, as the workers read them, newest first. */
async function signing(id: string): Promise<string[]> {
  const stored = await row(app.dataSource, 'webhooks', id);
  const box = app.app.get(SecretBox, { strict: false });
  const expires = stored['previous_secret_expires_at'] as Date | null;
  const records = [
    stored['secret_encrypted'],
    ...(expires && expires > app.clock.now() ? [stored['previous_secret_encrypted']] : []),
  ] as Buffer[];
  return records.map((record) => box.open(record, decodeId('webhook', id) ?? ''));
}

describe('rotating a secret', () => {
  it('rotating a secret signs with the new one, and for 24 hours also with the previous one', async () => {
    const { api } = await app.account();
    const id = await register(api, { secret: FIRST });
    const rotated = await api.rotateSecret(id, { secret: SECOND });
    const webhook = expectSuccess(rotated) as Record<string, unknown>;
    expect(webhook).toMatchObject({
      id,
      secretPreview: 'hook',
      previousSecretExpiresAt: new Date(app.clock.now().getTime() + DAY_MS).toISOString(),
    });
    expect(webhook).not.toHaveProperty('secret');
    expect(rotated.text).not.toContain(SECOND);
    expect(await signing(id)).toEqual([SECOND, FIRST]);
    app.clock.advance(DAY_MS);
    expect(await signing(id)).toEqual([SECOND]);
  });

  it('rotating a secret generates a secret if none is sent, with a body or without, and shows it only this once', async () => {
    const { api } = await app.account();
    const id = await register(api, { secret: FIRST });
    for (const body of [{}, undefined]) {
      const rotated = await api.send('POST', `/v1/webhooks/${id}/rotate-secret`, { body });
      const { secret, secretPreview } = expectSuccess(rotated) as Record<string, string>;
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
      expect(secretPreview).toBe(secret?.slice(-4));
      expect(rotated.headers['cache-control']).toBe('no-store');
      expect((await signing(id))[0]).toBe(secret);
      expect((await api.readWebhook(id)).text).not.toContain(secret?.slice(6));
    }
  });

  it('rotating a secret to the current secret changes nothing, so that a repeated request ends nothing early', async () => {
    const { api } = await app.account();
    const id = await register(api, { secret: FIRST });
    const rotated = await api.rotateSecret(id, { secret: SECOND });
    app.clock.advance(1_000);
    const again = await api.rotateSecret(id, { secret: SECOND });
    expect(again.body.data).toEqual(rotated.body.data);
    expect(await signing(id)).toEqual([SECOND, FIRST]);
    app.clock.advance(DAY_MS);
    const late = await api.rotateSecret(id, { secret: SECOND });
    expect(late.body.data).toMatchObject({ previousSecretExpiresAt: null });
  });

  it('rotating a secret again within 24 hours keeps the last two', async () => {
    const { api } = await app.account();
    const id = await register(api, { secret: FIRST });
    await api.rotateSecret(id, { secret: SECOND });
    await api.rotateSecret(id, { secret: 'the third secret of this webhook' });
    expect(await signing(id)).toEqual(['the third secret of this webhook', SECOND]);
  });

  it('rotating a secret happens once with an Idempotency-Key, and its retry shows no secret', async () => {
    const { api } = await app.account();
    const id = await register(api);
    const headers = { 'idempotency-key': 'rotation-1' };
    const path = `/v1/webhooks/${id}/rotate-secret`;
    const [first, retry] = [
      await api.send('POST', path, { headers }),
      await api.send('POST', path, { headers }),
    ];
    expect(retry.body.data).toEqual({ ...(first.body.data as object), secret: null });
    expect(retry.headers['idempotency-replayed']).toBe('true');
  });

  it('rotating a secret replaces one that the service cannot decrypt, which then does not sign', async () => {
    const { api } = await app.account();
    const id = await register(api);
    await app.dataSource.query(
      `UPDATE webhooks SET secret_encrypted = decode(repeat('00', 60), 'hex') WHERE id = $1`,
      [decodeId('webhook', id)],
    );
    const rotated = await api.rotateSecret(id, { secret: SECOND });
    expect(expectSuccess(rotated)).toMatchObject({ previousSecretExpiresAt: null });
    expect(await signing(id)).toEqual([SECOND]);
  });

  it('rotating a secret warns about a guessable one', async () => {
    const { api } = await app.account();
    const rotated = await api.rotateSecret(await register(api), { secret: 'hunter2' });
    expectSuccess(rotated);
    expect(rotated.body.meta.warnings).toMatchObject([{ field: 'secret' }]);
    expect(rotated.text).not.toContain('hunter2');
  });

  it.each([
    [{ secret: '' }, /1 to 256 characters/],
    [{ secret: null }, /must be a string/],
    [{ secret: 'whsec_no base64' }, /base64/],
    [{ secret: 'pässword that is long enough' }, /ASCII/],
    [{ secrets: 'x' }, /did you mean 'secret'/],
  ])('rotating a secret is refused for %j', async (body, issue) => {
    const { api } = await app.account();
    const id = await register(api, { secret: FIRST });
    const refused = await api.rotateSecret(id, body);
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.details.issue).toMatch(issue);
    expect(await signing(id)).toEqual([FIRST]);
  });
});
