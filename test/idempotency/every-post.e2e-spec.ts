import { randomUUID } from 'node:crypto';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ApiDocument } from '../openapi/api-document.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure } from '../support/envelope.js';
import { exportedArchive } from '../support/jobs.js';
import { isReplayed, POST_CASES, sendKeyed, type PostCase } from './post-cases.js';

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

/** Fields of answers that show a secret, which a replay does not repeat. */
const SECRETS: Record<string, string> = {
  createKey: 'key',
  rotateKey: 'key',
  registerWebhook: 'secret',
  rotateWebhookSecret: 'secret',
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

/** What an answer says, the id and the time of its own request aside. */
function saidBy({ status, body }: ApiResponse): unknown {
  return { status, ...body, meta: { ...body.meta, requestId: null, timestamp: null } };
}

/** The same as a replay says it, of an answer that shows a secret. */
function saidAgain(answer: ApiResponse, field: string): unknown {
  const { body } = answer;
  const warnings = [
    ...((body.meta.warnings ?? []) as unknown[]),
    { field, issue: expect.stringMatching(/^was shown once, .*under a new Idempotency-Key/) },
  ];
  const data = { ...(body.data as object), [field]: null };
  return saidBy({ ...answer, body: { ...body, data, meta: { ...body.meta, warnings } } });
}

describe('an Idempotency-Key', () => {
  it('is tried on every POST of the API', () => {
    const described = document.operations().filter(({ method }) => method === 'POST');
    expect(Object.keys(POST_CASES).sort()).toEqual(described.map((one) => one.operationId).sort());
  });

  describe.each(Object.keys(POST_CASES))('on %s', (operationId) => {
    const caseOf = (api: ApiClient) =>
      POST_CASES[operationId]?.(api, archive) as Promise<PostCase> | PostCase;

    it('gives the retry the same status, body and headers, and refuses another body', async () => {
      const { api, accountId } = await app.account();
      const { path, first, other } = await caseOf(api);
      const key = randomUUID();
      const answer = await sendKeyed(api, path, key, first);
      expect([answer.status < 300, isReplayed(answer)]).toEqual([true, false]);
      const audited = await auditEntries(accountId);
      const retry = await sendKeyed(api, path, key, first);
      expect(isReplayed(retry)).toBe(true);
      const secret = SECRETS[operationId];
      expect(saidBy(retry)).toEqual(secret ? saidAgain(answer, secret) : saidBy(answer));
      expect(headersOf(retry)).toEqual(headersOf(answer));
      expect(retry.headers['x-request-id']).not.toBe(answer.headers['x-request-id']);
      document.expectDescribed(operationId, retry);
      if (other) {
        const refused = await sendKeyed(api, path, key, other);
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
        const answer = await sendKeyed(api, path, key, first);
        expect([answer.status < 300, isReplayed(answer)]).toEqual([true, false]);
      }
    });
  });

  it.each(Object.keys(POST_CASES).filter((name) => !WITHOUT_REFUSAL.includes(name)))(
    'is taken on %s by a refusal of the body, which the retry gets again',
    async (operationId) => {
      const { api } = await app.account();
      const { path, first, refused } = (await POST_CASES[operationId]?.(api, archive)) as PostCase;
      const key = randomUUID();
      const answer = await sendKeyed(api, path, key, refused);
      expect(answer.status === 400 || answer.status === 422).toBe(true);
      const retry = await sendKeyed(api, path, key, refused);
      expect([saidBy(retry), isReplayed(retry)]).toEqual([saidBy(answer), true]);
      expectFailure(await sendKeyed(api, path, key, first), 422, 'INVALID_REQUEST');
      expect((await sendKeyed(api, path, randomUUID(), first)).status).toBeLessThan(300);
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
