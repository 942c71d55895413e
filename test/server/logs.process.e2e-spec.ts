import { randomBytes } from 'node:crypto';
import { generateApiKey } from '../../src/auth/api-key.js';
import { encodeId } from '../../src/identifiers/identifiers.js';
import { makeAccount } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { openTestDatabase } from '../support/postgres.js';
import { startService } from '../support/service-process.js';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.drop());

describe('the log', () => {
  it('has one structured line a request with ids, route, status and duration, and never a key, a secret or content', async () => {
    const account = await makeAccount(database.dataSource);
    const secretsKey = randomBytes(32).toString('base64');
    const service = await startService({
      DATABASE_URL: database.url,
      SECRETS_KEY: secretsKey,
      LOG_LEVEL: 'trace',
    });
    const api = new ApiClient(service.origin, account.key);
    const wrongKey = generateApiKey();
    const answers = [
      await api.createDocument({ title: 'Confidential title', content: 'Confidential content' }),
      await api.registerWebhook({
        url: 'https://example.com/h',
        events: ['*'],
        secret: 'webhook-secret-0123456789',
      }),
      await api.readDocument('doc_nonsense'),
      await new ApiClient(service.origin, wrongKey).listDocuments(),
    ];
    expect(await service.end()).toBe(0);
    const lines = service.log().filter(({ msg }) => msg === 'request');
    const own = answers.map(({ body }) =>
      lines.filter(({ requestId }) => requestId === body.meta.requestId),
    );
    expect(own.map(({ length }) => length)).toEqual([1, 1, 1, 1]);
    expect(own.map(([line]) => line)).toEqual([
      expect.objectContaining({
        level: 'info',
        method: 'POST',
        route: '/v1/documents',
        status: 201,
        durationMs: expect.any(Number) as number,
      }),
      expect.objectContaining({ method: 'POST', route: '/v1/webhooks', status: 201 }),
      expect.objectContaining({ method: 'GET', route: '/v1/documents/:id', status: 404 }),
      expect.objectContaining({ method: 'GET', route: '/v1/documents', status: 401 }),
    ]);
    expect(own[0]?.[0]).toMatchObject({
      accountId: encodeId('account', account.accountId),
      keyId: encodeId('key', account.keyId),
    });
    for (const secret of [
      account.key,
      wrongKey,
      'webhook-secret',
      'Confidential',
      secretsKey,
      new URL(database.url).password,
    ]) {
      if (secret !== '') expect(service.output()).not.toContain(secret);
    }
  });
});
