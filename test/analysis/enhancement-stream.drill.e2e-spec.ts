import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { request } from 'undici';
import { AnalysisOrdersService } from '../../src/features/analysis/analyses/analysis-orders.service.js';
import { AnalysisProviders } from '../../src/features/analysis/providers/analysis-providers.js';
import { AppError } from '../../src/platform/basics/errors/app-error.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure } from '../support/envelope.js';
import { dataOf } from './shown.js';
import { WordListProvider } from './word-list-provider.js';

let app: TestApp;
const provider = new WordListProvider();

beforeAll(async () => {
  app = await startTestApp({
    environment: { PROCESS_ROLE: 'all' },
    overrides: [[AnalysisProviders, provider]],
  });
  // Every enhancement here takes longer than its request waits.
  app.app.get(AnalysisOrdersService, { strict: false }).waitMs = 100;
});
afterAll(() => app.close());
afterEach(() => {
  provider.until = Promise.resolve();
  provider.failure = undefined;
});

/** Returns an enhancement that waits until `go` is called. */
async function pending(api: ApiClient) {
  let go: (value: unknown) => void = () => undefined;
  provider.until = new Promise((resolve) => (go = resolve));
  const { id } = dataOf<{ id: string }>(
    await api.createDocument({ title: 'Text', content: 'teh cat' }),
  );
  const { enhancementId } = dataOf<{ enhancementId: string }>(await api.enhanceDocument(id, {}));
  return {
    path: `/v1/documents/${id}/enhancements/${enhancementId}/stream`,
    go,
  };
}

const open = (path: string, key: string) =>
  request(`${app.origin}${path}`, { headers: { authorization: `Bearer ${key}` } });

/** Opens a stream on a separate connection that can be closed. */
async function follow(path: string, key: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${key}` };
  const [response] = await once(get(app.origin + path, { agent: false, headers }), 'response');
  return response as IncomingMessage;
}

describe('The stream of an enhancement', () => {
  it('The stream of an enhancement reports why the enhancement failed, and ends', async () => {
    const { api, key } = await app.account();
    const { path, go } = await pending(api);
    provider.failure = new AppError('bad_request', 'The model said no.');
    const { body } = await open(path, key);
    go(undefined);
    const failed = /event: failed\ndata: (.*)\n\n$/.exec(await body.text())?.[1] ?? '';
    expect(JSON.parse(failed)).toMatchObject({
      status: 'failed',
      error: { message: 'The model said no.' },
    });
  });

  it('The stream of an enhancement ends when its key is revoked', async () => {
    const account = await app.account();
    const { path, go } = await pending(account.api);
    const { key, keyId } = await app.anotherKey(account, { scopes: ['documents:read'] });
    const { body } = await open(path, key);
    await app.dataSource.query('UPDATE api_keys SET revoked_at = $2 WHERE id = $1', [
      keyId,
      app.clock.now(),
    ]);
    expect(await body.text()).not.toContain('event: done');
    go(undefined);
  });

  it('The stream of an enhancement is refused in the envelope to other accounts, and beyond twenty per account', async () => {
    const { api, key } = await app.account();
    const other = await app.account();
    const { path, go } = await pending(api);
    expectFailure(await other.api.send('GET', path), 404, 'NOT_FOUND');
    const streams = await Promise.all(Array.from({ length: 20 }, () => follow(path, key)));
    expectFailure(await api.send('GET', path), 429, 'RATE_LIMIT_EXCEEDED');
    for (const stream of streams) stream.destroy();
    go(undefined);
  });
});
