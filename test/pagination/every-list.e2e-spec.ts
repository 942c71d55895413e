import type { OpenAPIObject } from '@nestjs/swagger';
import { ApiDocument } from '../openapi/api-document.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';

let app: TestApp;
let api: ApiClient;
let lists: string[];

beforeAll(async () => {
  app = await startTestApp();
  ({ api } = await app.account());
  const webhook = { url: 'https://example.com/', events: ['document.*'] };
  const owners: Record<string, string> = {
    '/v1/documents': idOf(await api.createDocument({ title: 'T' })),
    '/v1/templates': idOf(await api.createTemplate({ name: 'N', title: 'T' })),
    '/v1/webhooks': idOf(await api.send('POST', '/v1/webhooks', { body: webhook })),
  };
  const document = new ApiDocument(
    (await app.api().send('GET', '/v1/openapi.json')).body as OpenAPIObject,
  );
  lists = document
    .operations()
    .filter(({ parameters = [] }) => parameters.some((one) => 'name' in one && one.name === 'page'))
    .map(({ path }) =>
      path.replace(/^(.*)\/\{id\}/, (_, owner: string) => `${owner}/${String(owners[owner])}`),
    );
});
afterAll(() => app.close());

function idOf(response: ApiResponse): string {
  return (expectSuccess(response, 201) as { id: string }).id;
}

describe('Every list', () => {
  it('takes page, limit, sort and order as the specification has them', async () => {
    expect(lists.length).toBeGreaterThanOrEqual(10);
    for (const path of lists) {
      const plain = await api.list(path, {});
      expectSuccess(plain);
      expect(plain.body.meta.pagination).toMatchObject({ page: 1, limit: 20 });
      for (const sort of ['created_at', 'updated_at']) {
        for (const order of ['asc', 'desc']) {
          const sorted = await api.list(path, { page: 1, limit: 100, sort, order });
          expect([path, sort, order, sorted.status]).toEqual([path, sort, order, 200]);
        }
      }
      expectFailure(await api.list(path, { limit: 101 }), 400, 'INVALID_REQUEST');
    }
  });

  it('goes on behind a cursor in either sort', async () => {
    const id = idOf(await api.createDocument({ title: '1' }));
    for (const title of ['2', '3']) await api.patchDocument(id, { title });
    for (const path of [`/v1/documents/${id}/versions`, '/v1/events', '/v1/audit']) {
      const walks = await Promise.all(
        ['created_at', 'updated_at'].map(async (sort) => {
          const { body } = await api.list(path, { sort, limit: 2 });
          const cursor = body.meta.pagination.nextCursor as string;
          return expectSuccess(await api.list(path, { sort, limit: 2, cursor }));
        }),
      );
      expect(walks[0]).toEqual(walks[1]);
      expect(walks[0]).not.toEqual([]);
    }
  });
});
