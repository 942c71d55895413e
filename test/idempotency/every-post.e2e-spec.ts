import { randomUUID } from 'node:crypto';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ApiDocument } from '../openapi/api-document.js';
import type { ApiClient, ApiResponse, RequestOptions } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure } from '../support/envelope.js';
import { formWith } from '../support/form.js';
import { exportedArchive } from '../support/jobs.js';
import { deliveriesOf, register } from '../webhooks/managed-webhook.js';

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
});
afterAll(() => app.close());

/** A request that succeeds, one of another body to the same path, and one that is refused for its body. */
interface Case {
  path: string;
  first: RequestOptions;
  other?: RequestOptions;
  refused?: RequestOptions;
}

const json = (body: unknown): RequestOptions => ({ body });
const form = (content: string, fields: Record<string, string> = {}): RequestOptions => {
  const { body, contentType } = formWith({ name: 'a.md', content }, fields);
  return { rawBody: body, headers: { 'content-type': contentType } };
};
const ndjson = (rawBody: string): RequestOptions => ({
  rawBody,
  headers: { 'content-type': 'application/x-ndjson' },
});
const made = async (answer: Promise<ApiResponse>) => (await answer).body.data as { id: string };

async function changedDocument(api: ApiClient): Promise<string> {
  const { id } = await made(api.createDocument({ title: 'A', content: 'a' }));
  await api.patchDocument(id, { title: 'B', content: 'b' });
  return id;
}

const newTemplate = (api: ApiClient) =>
  made(api.createTemplate({ name: 'T', content: '{{a}}', variables: [{ name: 'a' }] }));
const newKey = (api: ApiClient) =>
  made(api.send('POST', '/v1/keys', json({ name: 'K', scopes: ['usage:read'] })));

/** Every POST of the API; the test fails when one is missing. */
const CASES: Record<string, (api: ApiClient) => Promise<Case> | Case> = {
  exportAccount: () => ({ path: '/v1/account/export', first: {} }),
  importAccount: () => ({
    path: '/v1/account/import',
    first: ndjson(archive),
    other: ndjson(`${archive}\n`),
  }),
  createDocument: () => ({
    path: '/v1/documents',
    first: json({ title: 'T', content: 'x'.repeat(9_000), metadata: { n: 1 } }),
    other: json({ title: 'U' }),
    refused: json({ titel: 'T' }),
  }),
  batchDocuments: () => ({
    path: '/v1/documents/batch',
    first: json({
      operations: [
        { op: 'create', document: { title: 'T' } },
        { op: 'delete', id: 'x' },
      ],
    }),
    other: json({ operations: [{ op: 'create', document: { title: 'U' } }] }),
    refused: json({ operations: [] }),
  }),
  importDocument: () => ({
    path: '/v1/documents/import',
    first: form('# A\n'),
    other: form('# A\n', { type: 'report' }),
    refused: form('# A\n', { type: 'novel' }),
  }),
  editDocument: async (api) => ({
    path: `/v1/documents/${await changedDocument(api)}/edits`,
    first: json({ edits: [{ op: 'append', text: '!' }] }),
    other: json({ edits: [{ op: 'append', text: '?' }] }),
    refused: json({ edits: [{ op: 'delete', find: 'nowhere' }] }),
  }),
  restoreDocument: async (api) => {
    const id = await changedDocument(api);
    await api.deleteDocument(id);
    return { path: `/v1/documents/${id}/restore`, first: {} };
  },
  restoreVersion: async (api) => ({
    path: `/v1/documents/${await changedDocument(api)}/versions/1/restore`,
    first: {},
  }),
  createKey: () => ({
    path: '/v1/keys',
    first: json({ name: 'K', scopes: ['usage:read'] }),
    other: json({ name: 'L', scopes: ['usage:read'] }),
    refused: json({ name: 'K', scopes: ['everything'] }),
  }),
  rotateKey: async (api) => ({
    path: `/v1/keys/${(await newKey(api)).id}/rotate`,
    first: json({}),
    other: json({ graceSeconds: 60 }),
    refused: json({ grace: 'long' }),
  }),
  createTemplate: () => ({
    path: '/v1/templates',
    first: json({ name: 'T', content: '{{a}}' }),
    other: json({ name: 'U' }),
    refused: json({}),
  }),
  previewTemplate: async (api) => ({
    path: `/v1/templates/${(await newTemplate(api)).id}/preview`,
    first: json({ templateVariables: { a: 'x' } }),
    other: json({ templateVariables: { a: 'y' } }),
    refused: json({ templateVariables: { a: [] } }),
  }),
  restoreTemplateVersion: async (api) => {
    const { id } = await newTemplate(api);
    await api.patchTemplate(id, { name: 'U' });
    return { path: `/v1/templates/${id}/versions/1/restore`, first: {} };
  },
  registerWebhook: () => ({
    path: '/v1/webhooks',
    first: json({ url: 'https://example.com/a', events: ['*'] }),
    other: json({ url: 'https://example.com/b', events: ['*'] }),
    refused: json({ url: 'nowhere', events: ['*'] }),
  }),
  redeliver: async (api) => {
    const webhook = await register(api);
    await api.createDocument({ title: 'T' });
    const [delivery] = await deliveriesOf(api, webhook);
    const path = `/v1/webhooks/${webhook}/deliveries/${delivery?.id ?? ''}/redeliver`;
    return { path, first: {}, other: json({}), refused: json({ now: true }) };
  },
  recoverDeliveries: async (api) => ({
    path: `/v1/webhooks/${await register(api)}/recover`,
    first: json({ since: '2026-01-01T00:00:00Z' }),
    other: json({ since: '2026-01-02T00:00:00Z' }),
    refused: json({ since: 'long ago' }),
  }),
  rotateWebhookSecret: async (api) => ({
    path: `/v1/webhooks/${await register(api)}/rotate-secret`,
    first: json({}),
    other: json({ secret: 'another secret of some length' }),
    refused: json({ secret: '' }),
  }),
  testWebhook: async (api) => ({
    path: `/v1/webhooks/${await register(api)}/test`,
    first: {},
    other: json({}),
    refused: json({ loud: true }),
  }),
};

/** These take no body, or judge it in the background. */
const WITHOUT_REFUSAL = [
  'exportAccount',
  'importAccount',
  'restoreDocument',
  'restoreVersion',
  'restoreTemplateVersion',
];

const HEADERS = ['location', 'etag', 'retry-after', 'content-type'];
const headersOf = ({ headers }: ApiResponse) =>
  Object.fromEntries(HEADERS.map((name) => [name, headers[name]]));
const isReplayed = ({ headers }: ApiResponse) => headers['idempotency-replayed'] === 'true';

/** What an answer says, the id and the time of its own request aside. */
function saidBy({ status, body }: ApiResponse): unknown {
  return { status, ...body, meta: { ...body.meta, requestId: null, timestamp: null } };
}

const sendWith = (api: ApiClient, path: string, key: string, options: RequestOptions = {}) =>
  api.send('POST', path, {
    ...options,
    headers: { ...options.headers, 'Idempotency-Key': key },
  });

describe('an Idempotency-Key', () => {
  it('is tried on every POST of the API', () => {
    const described = document.operations().filter(({ method }) => method === 'POST');
    expect(Object.keys(CASES).sort()).toEqual(described.map((one) => one.operationId).sort());
  });

  describe.each(Object.keys(CASES))('on %s', (operationId) => {
    const caseOf = (api: ApiClient) => CASES[operationId]?.(api) as Promise<Case> | Case;

    it('gives the retry the same status, body and headers, and refuses another body', async () => {
      const { api, accountId } = await app.account();
      const { path, first, other } = await caseOf(api);
      const key = randomUUID();
      const answer = await sendWith(api, path, key, first);
      expect([answer.status < 300, isReplayed(answer)]).toEqual([true, false]);
      const audited = await auditEntries(accountId);
      const retry = await sendWith(api, path, key, first);
      expect(isReplayed(retry)).toBe(true);
      expect(saidBy(retry)).toEqual(saidBy(answer));
      expect(headersOf(retry)).toEqual(headersOf(answer));
      expect(retry.headers['x-request-id']).not.toBe(answer.headers['x-request-id']);
      document.expectDescribed(operationId, retry);
      if (other) {
        const refused = await sendWith(api, path, key, other);
        expectFailure(refused, 422, 'INVALID_REQUEST');
        expect(refused.body.error.details).toMatchObject({ field: 'Idempotency-Key' });
        document.expectDescribed(operationId, refused);
      }
      expect(await auditEntries(accountId)).toBe(audited);
    });

    it('is nothing to another account', async () => {
      const [one, two] = [await app.account(), await app.account()];
      const key = randomUUID();
      for (const { api } of [one, two]) {
        const { path, first } = await caseOf(api);
        const answer = await sendWith(api, path, key, first);
        expect([answer.status < 300, isReplayed(answer)]).toEqual([true, false]);
      }
    });
  });

  it.each(Object.keys(CASES).filter((name) => !WITHOUT_REFUSAL.includes(name)))(
    'is taken on %s by a refusal of the body, which the retry gets again',
    async (operationId) => {
      const { api } = await app.account();
      const { path, first, refused } = (await CASES[operationId]?.(api)) as Case;
      const key = randomUUID();
      const answer = await sendWith(api, path, key, refused);
      expect(answer.status === 400 || answer.status === 422).toBe(true);
      const retry = await sendWith(api, path, key, refused);
      expect([saidBy(retry), isReplayed(retry)]).toEqual([saidBy(answer), true]);
      expectFailure(await sendWith(api, path, key, first), 422, 'INVALID_REQUEST');
      expect((await sendWith(api, path, randomUUID(), first)).status).toBeLessThan(300);
    },
  );
});

async function auditEntries(accountId: string): Promise<number> {
  const [row] = await app.dataSource.query<{ n: number }[]>(
    'SELECT count(*)::int AS n FROM audit_log WHERE account_id = $1',
    [accountId],
  );
  return row?.n ?? 0;
}
