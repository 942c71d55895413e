import { randomUUID } from 'node:crypto';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ApiDocument } from '../openapi/api-document.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { exportedArchive } from '../support/jobs.js';
import { isReplayed, POST_CASES, sendKeyed, type PostCase } from './post-cases.js';
import { encodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { SecretBox } from '../../src/platform/secrets/secret-box.js';
import { drillCases } from '../support/drills.js';

let app: TestApp;
let document: ApiDocument;
let archive: string;
beforeAll(async () => {
  app = await startTestApp({
    environment: { PROCESS_ROLE: 'all', WEBHOOK_RETRY_SCHEDULE: '600' },
    stopClock: false,
  });
  document = new ApiDocument(
    (await app.api().send('GET', '/v1/openapi.json')).body as OpenAPIObject,
  );
  const { api } = await app.account();
  await api.createDocument({ title: 'One', content: 'a' });
  archive = await exportedArchive(api);
}, 90_000);
afterAll(() => app.close());

/** Response fields with a secret, which a replay does not contain. */
const SECRETS: Record<string, string> = {
  createKey: 'key',
  createToken: 'token',
  rotateKey: 'key',
  registerWebhook: 'secret',
  rotateWebhookSecret: 'secret',
};

/** These take no body or check it in the background. */
const WITHOUT_REFUSAL = [
  'exportAccount',
  'exportCollection',
  'importAccount',
  'restoreDocument',
  'restoreVersion',
  'unpublishDocument',
  'discardDocumentChanges',
  'publishRelease',
  'cancelRelease',
  'restoreTemplateVersion',
  'activateStyleRules',
  'deactivateStyleRules',
  'dryRunStyleRules',
];

const HEADERS = ['location', 'etag', 'retry-after', 'content-type'];
const headersOf = ({ headers }: ApiResponse) =>
  Object.fromEntries(HEADERS.map((name) => [name, headers[name]]));

/** Returns a response without the id and time of its request. */
function saidBy({ status, body }: ApiResponse): unknown {
  return { status, ...body, meta: { ...body.meta, requestId: null, timestamp: null } };
}

/** Returns the replay that is expected for a response with a secret. */
function saidAgain(response: ApiResponse, field: string): unknown {
  const { body } = response;
  const warnings = [
    ...((body.meta.warnings ?? []) as unknown[]),
    {
      field,
      issue: expect.stringMatching(/^was shown once, .*(with|under) a new Idempotency-Key/),
    },
  ];
  const data = { ...(body.data as object), [field]: null };
  return saidBy({ ...response, body: { ...body, data, meta: { ...body.meta, warnings } } });
}

describe('an Idempotency-Key', () => {
  describe.each(Object.keys(POST_CASES))('on %s', (operationId) => {
    const caseOf = (api: ApiClient) =>
      POST_CASES[operationId]?.(api, archive) as Promise<PostCase> | PostCase;

    it('gives a retry the same status, body and headers, and refuses another body', async () => {
      const { api, accountId } = await app.account();
      const { path, first, other } = await caseOf(api);
      const key = randomUUID();
      const response = await sendKeyed(api, path, key, first);
      expect([response.status < 300, isReplayed(response)]).toEqual([true, false]);
      const audited = await auditEntries(accountId);
      const retry = await sendKeyed(api, path, key, first);
      expect(isReplayed(retry)).toBe(true);
      const secret = SECRETS[operationId];
      expect(saidBy(retry)).toEqual(secret ? saidAgain(response, secret) : saidBy(response));
      expect(headersOf(retry)).toEqual(headersOf(response));
      expect(retry.headers['x-request-id']).not.toBe(response.headers['x-request-id']);
      document.expectDescribed(operationId, retry);
      if (other) {
        const refused = await sendKeyed(api, path, key, other);
        expectFailure(refused, 422, 'INVALID_REQUEST');
        expect(refused.body.error.details).toMatchObject({ field: 'Idempotency-Key' });
        document.expectDescribed(operationId, refused);
      }
      expect(await auditEntries(accountId)).toBe(audited);
    });

    it('has no effect in another account', async () => {
      const [one, two] = [await app.account(), await app.account()];
      const key = randomUUID();
      for (const { api } of [one, two]) {
        const { path, first } = await caseOf(api);
        const response = await sendKeyed(api, path, key, first);
        expect([response.status < 300, isReplayed(response)]).toEqual([true, false]);
      }
    });
  });

  it.each(Object.keys(POST_CASES).filter((name) => !WITHOUT_REFUSAL.includes(name)))(
    'is free on %s after an invalid body, and used up by one that cannot be carried out',
    async (operationId) => {
      const { api } = await app.account();
      const { path, first, refused } = (await POST_CASES[operationId]?.(api, archive)) as PostCase;
      const key = randomUUID();
      const response = await sendKeyed(api, path, key, refused);
      expect(response.status === 400 || response.status === 422).toBe(true);
      const isStored = response.status === 422;
      const retry = await sendKeyed(api, path, key, refused);
      expect([saidBy(retry), isReplayed(retry)]).toEqual([saidBy(response), isStored]);
      if (isStored) expectFailure(await sendKeyed(api, path, key, first), 422, 'INVALID_REQUEST');
      const corrected = await sendKeyed(api, path, isStored ? randomUUID() : key, first);
      expect([corrected.status < 300, isReplayed(corrected)]).toEqual([true, false]);
    },
  );
});

async function auditEntries(accountId: string): Promise<number> {
  const count = async (rows: string) => {
    const [row] = await app.dataSource.query<{ n: number }[]>(
      `SELECT count(*)::int AS n FROM ${rows}`,
      [accountId],
    );
    return row?.n ?? 0;
  };
  // A job may still write its entry.
  await eventually(
    () => count(`jobs WHERE account_id = $1 AND status IN ('queued', 'running')`),
    (open) => open === 0,
  );
  return count('audit_log WHERE account_id = $1');
}

/** What can happen to a key between a request and its retry, as SQL, with the status of the retry. */
const MEANWHILE: [string, string, number][] = [
  ['has lost its scopes', `scopes = '{usage:read}'`, 403],
  ['has expired', `expires_at = now() - interval '1 second'`, 401],
  ['was revoked', 'revoked_at = now()', 401],
  ['works from elsewhere only', `allowed_ips = '{192.0.2.7}'`, 401],
];
const AS_BEFORE = `scopes = '{*}', expires_at = NULL, revoked_at = NULL, allowed_ips = '{}'`;

const change = (keyId: string, columns: string) =>
  app.dataSource.query(`UPDATE api_keys SET ${columns} WHERE id = $1`, [keyId]);

/** All of them are tested above. */
const RETRIED = drillCases(Object.keys(POST_CASES), (_, index) => index % 4 === 0);

describe.each(RETRIED)('the retry of %s', (operationId) => {
  const caseOf = async (api: ApiClient) =>
    (await POST_CASES[operationId]?.(api, archive)) as PostCase;

  it('is refused before any replay if the key can no longer make the request', async () => {
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

  it('by another key of the account is a separate request', async () => {
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

  it('gives a key with keys:write neither an all-scopes key that another one created, nor one of its own', async () => {
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
  ])('does not lead to a key beyond a key that %s', async (_, columns) => {
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

  it('tells a key that rotated itself without getting the response that its successor was shown once', async () => {
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
    'by %s is not in the outcome stored for retries',
    async (operationId) => {
      const { api, accountId } = await app.account();
      const { path, first } = (await POST_CASES[operationId]?.(api, archive)) as PostCase;
      const response = await sendKeyed(api, path, randomUUID(), first);
      const { key, secret } = response.body.data as { key?: string; secret?: string };
      const shown = key ?? secret ?? '';
      expect(shown).toMatch(/^(ds_live|whsec)_/);
      for (const outcome of await outcomesOf(accountId)) expect(outcome).not.toContain(shown);
    },
  );

  it('is not missing from a replay when the client sent its own', async () => {
    const { api } = await app.account();
    const body = { url: 'https://example.com/', events: ['*'], secret: 'x'.repeat(32) };
    const responses: ApiResponse[] = [];
    for (let n = 0; n < 2; n += 1) {
      responses.push(await sendKeyed(api, '/v1/webhooks', 'own', { body }));
    }
    expect(responses.map(({ status }) => status)).toEqual([201, 201]);
    expect(responses[1]?.body.data).toEqual(responses[0]?.body.data);
    expect(responses[1]?.body.meta.warnings).toBeUndefined();
  });
});

/** Returns the decrypted outcomes of an account's requests. */
async function outcomesOf(accountId: string): Promise<string[]> {
  const rows = await app.dataSource.query<{ id: Buffer; outcome_encrypted: Buffer }[]>(
    'SELECT id, outcome_encrypted FROM idempotency_keys WHERE account_id = $1',
    [accountId],
  );
  expect(rows.length).toBeGreaterThan(0);
  const box = app.app.get(SecretBox, { strict: false });
  return rows.map((row) => box.open(row.outcome_encrypted, row.id.toString('hex')));
}
