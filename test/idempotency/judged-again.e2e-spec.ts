import { randomUUID } from 'node:crypto';
import { encodeId } from '../../src/identifiers/identifiers.js';
import { SecretBox } from '../../src/secrets/secret-box.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { exportedArchive } from '../support/jobs.js';
import { isReplayed, POST_CASES, sendKeyed, type PostCase } from './post-cases.js';

let app: TestApp;
let archive: string;
beforeAll(async () => {
  app = await startTestApp({
    environment: { PROCESS_ROLE: 'all', WEBHOOK_RETRY_SCHEDULE: '600' },
    stopClock: false,
  });
  const { api } = await app.account();
  await api.createDocument({ title: 'One', content: 'a' });
  archive = await exportedArchive(api);
});
afterAll(() => app.close());

/** What may become of a key between a request and its retry, as SQL, and the status of the retry. */
const MEANWHILE: [string, string, number][] = [
  ['has lost its scopes', `scopes = '{usage:read}'`, 403],
  ['has expired', `expires_at = now() - interval '1 second'`, 401],
  ['was revoked', 'revoked_at = now()', 401],
  ['works from elsewhere only', `allowed_ips = '{192.0.2.7}'`, 401],
];
const AS_BEFORE = `scopes = '{*}', expires_at = NULL, revoked_at = NULL, allowed_ips = '{}'`;

const change = (keyId: string, columns: string) =>
  app.dataSource.query(`UPDATE api_keys SET ${columns} WHERE id = $1`, [keyId]);

describe.each(Object.keys(POST_CASES))('the retry of %s', (operationId) => {
  const caseOf = async (api: ApiClient) =>
    (await POST_CASES[operationId]?.(api, archive)) as PostCase;

  it('is refused before any replay when the key may not make the request any more', async () => {
    const { api, keyId } = await app.account();
    const { path, first } = await caseOf(api);
    const key = randomUUID();
    expect((await sendKeyed(api, path, key, first)).status).toBeLessThan(300);
    for (const [, columns, status] of MEANWHILE) {
      await change(keyId, columns);
      const retry = await sendKeyed(api, path, key, first);
      expectFailure(retry, status, status === 401 ? 'UNAUTHORIZED' : 'FORBIDDEN');
      expect(isReplayed(retry)).toBe(false);
      await change(keyId, AS_BEFORE);
    }
    expect(isReplayed(await sendKeyed(api, path, key, first))).toBe(true);
  });

  it('by another key of the account is a request of its own', async () => {
    const account = await app.account();
    const { path, first } = await caseOf(account.api);
    const key = randomUUID();
    await sendKeyed(account.api, path, key, first);
    const other = app.api((await app.anotherKey(account)).key);
    const fresh = await sendKeyed(other, path, key, first);
    expect(isReplayed(fresh)).toBe(false);
    expect(isReplayed(await sendKeyed(account.api, path, key, first))).toBe(true);
  });
});

describe('an Idempotency-Key in a deploy script', () => {
  const body = { name: 'Deployment', scopes: ['*'] };

  it('gives a key with keys:write neither the key for everything that another one made, nor one of its own', async () => {
    const account = await app.account();
    const made = await sendKeyed(account.api, '/v1/keys', 'deploy', { body });
    const weak = app.api((await app.anotherKey(account, { scopes: ['keys:write'] })).key);
    const refused = await sendKeyed(weak, '/v1/keys', 'deploy', { body });
    expectFailure(refused, 403, 'FORBIDDEN');
    const { id } = expectSuccess(made, 201) as { id: string };
    const path = `/v1/keys/${id}/rotate`;
    await sendKeyed(account.api, path, 'rotate', { body: {} });
    expectFailure(await sendKeyed(weak, path, 'rotate', { body: {} }), 403, 'FORBIDDEN');
  });

  it.each([
    ['has lost scopes', `scopes = '{keys:write}'`],
    ['ends now', `expires_at = now() + interval '1 hour'`],
    ['works from fewer addresses now', `allowed_ips = '{127.0.0.1}'`],
  ])('is no way to a key beyond a key that %s', async (_, columns) => {
    const { api, keyId } = await app.account();
    const made = await sendKeyed(api, '/v1/keys', 'deploy', { body });
    const { id } = expectSuccess(made, 201) as { id: string };
    const path = `/v1/keys/${id}/rotate`;
    await sendKeyed(api, path, 'rotate', { body: {} });
    await change(keyId, columns);
    for (const retry of [
      await sendKeyed(api, '/v1/keys', 'deploy', { body }),
      await sendKeyed(api, path, 'rotate', { body: {} }),
    ]) {
      expectFailure(retry, 403, 'FORBIDDEN');
    }
    await change(keyId, AS_BEFORE);
    expect(isReplayed(await sendKeyed(api, '/v1/keys', 'deploy', { body }))).toBe(true);
  });

  it('tells a key that rotated itself, and was not answered, that its successor was shown once', async () => {
    const { api, keyId } = await app.account();
    const path = `/v1/keys/${encodeId('key', keyId)}/rotate`;
    await sendKeyed(api, path, 'rotate', { body: {} });
    const retry = await sendKeyed(api, path, 'rotate', { body: {} });
    expect(expectSuccess(retry, 201)).toMatchObject({ key: null });
    expect(retry.body.meta.warnings).toMatchObject([{ field: 'key' }]);
  });
});

describe('a secret that is shown once', () => {
  it.each(['createKey', 'rotateKey', 'registerWebhook', 'rotateWebhookSecret'])(
    'by %s is not in the outcome that is kept for retries',
    async (operationId) => {
      const { api, accountId } = await app.account();
      const { path, first } = (await POST_CASES[operationId]?.(api, archive)) as PostCase;
      const answer = await sendKeyed(api, path, randomUUID(), first);
      const { key, secret } = answer.body.data as { key?: string; secret?: string };
      const shown = key ?? secret ?? '';
      expect(shown).toMatch(/^(ds_live|whsec)_/);
      for (const outcome of await outcomesOf(accountId)) expect(outcome).not.toContain(shown);
    },
  );

  it('is not missed in a replay when the client sent its own', async () => {
    const { api } = await app.account();
    const body = { url: 'https://example.com/', events: ['*'], secret: 'x'.repeat(32) };
    const answers: ApiResponse[] = [];
    for (let n = 0; n < 2; n += 1) {
      answers.push(await sendKeyed(api, '/v1/webhooks', 'own', { body }));
    }
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[1]?.body.data).toEqual(answers[0]?.body.data);
    expect(answers[1]?.body.meta.warnings).toBeUndefined();
  });
});

/** What is kept of an account's requests, in clear. */
async function outcomesOf(accountId: string): Promise<string[]> {
  const rows = await app.dataSource.query<{ id: Buffer; outcome_encrypted: Buffer }[]>(
    'SELECT id, outcome_encrypted FROM idempotency_keys WHERE account_id = $1',
    [accountId],
  );
  expect(rows.length).toBeGreaterThan(0);
  const box = app.app.get(SecretBox, { strict: false });
  return rows.map((row) => box.open(row.outcome_encrypted, row.id.toString('hex')));
}
