import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';

interface Version {
  number: number;
  name: string;
  changes: string[];
  createdAt: string;
  [field: string]: unknown;
}

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** Creates a template and renames it from One to each of the names. */
async function grown(api: ApiClient, names: string[]): Promise<string> {
  const [first, ...rest] = names;
  const created = await api.createTemplate({
    name: first,
    content: 'of {{a}}',
    metadata: { k: 1 },
  });
  const { id } = expectSuccess(created, 201) as { id: string };
  for (const name of rest) {
    app.clock.advance(1_000);
    expectSuccess(await api.patchTemplate(id, { name }));
  }
  return id;
}

const read = (api: ApiClient, id: string, number: number | string) =>
  api.send('GET', `/v1/templates/${id}/versions/${String(number)}`);
const restore = (api: ApiClient, id: string, number: number | string, headers = {}) =>
  api.send('POST', `/v1/templates/${id}/versions/${String(number)}/restore`, { headers });

describe('the versions of a template', () => {
  it('the versions of a template are all listed, newest first, with what changed and who did it', async () => {
    const { api, user } = await app.account();
    const id = await grown(api, ['One', 'Two', 'Three']);
    const response = await api.list(`/v1/templates/${id}/versions`, {});
    const versions = expectSuccess(response) as Version[];
    expect(versions.map(({ number, name, changes }) => [number, name, changes])).toEqual([
      [3, 'Three', ['name']],
      [2, 'Two', ['name']],
      [1, 'One', []],
    ]);
    expect(versions[0]).toMatchObject({ author: user });
    expect(versions[0]).not.toHaveProperty('content');
    expect(response.body.meta.pagination).toMatchObject({ page: 1, total: 3, pages: 1 });
  });

  it('the versions of a template can be read complete, each as it was', async () => {
    const { api } = await app.account();
    const id = await grown(api, ['One', 'Two']);
    const [one, two] = [await read(api, id, 1), await read(api, id, 2)];
    expect(expectSuccess(one)).toMatchObject({ number: 1, name: 'One', content: 'of {{a}}' });
    expect(expectSuccess(two)).toMatchObject({ number: 2, name: 'Two', metadata: { k: 1 } });
    const { createdAt } = expectSuccess(one) as Version;
    expect(createdAt).toBe((expectSuccess(await api.readTemplate(id)) as Version).createdAt);
  });

  it('the versions of a template can be paged by number and by cursor', async () => {
    const { api } = await app.account();
    const names = Array.from({ length: 7 }, (_, index) => `Name ${String(index)}`);
    const path = `/v1/templates/${await grown(api, names)}/versions`;
    const second = await api.list(path, { limit: 3, page: 2, order: 'asc' });
    expect((second.body.data as Version[]).map(({ number }) => number)).toEqual([4, 5, 6]);
    const seen: number[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await api.list(path, { limit: 2, cursor });
      seen.push(...(body.data as Version[]).map(({ number }) => number));
      cursor = body.meta.pagination.nextCursor as string | null;
    } while (cursor !== null);
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1]);
  });

  it('the versions of a template are restored as a new version', async () => {
    const { api } = await app.account();
    const id = await grown(api, ['One', 'Two']);
    await api.patchTemplate(id, { content: 'new', metadata: { k: 2, l: 3 } });
    const response = await restore(api, id, 1);
    expect(expectSuccess(response)).toMatchObject({
      version: 4,
      name: 'One',
      content: 'of {{a}}',
      metadata: { k: 1 },
    });
    expect(response.headers['etag']).toBe('"4"');
    expect(expectSuccess(await read(api, id, 4))).toMatchObject({
      changes: ['name', 'content', 'metadata'],
    });
    expect(expectSuccess(await read(api, id, 3))).toMatchObject({ content: 'new' });
  });

  it('the versions of a template are restored once with an Idempotency-Key; if nothing would change, nothing is written', async () => {
    const { api } = await app.account();
    const id = await grown(api, ['One', 'Two']);
    const headers = { 'Idempotency-Key': 'k' };
    const [first, again] = [await restore(api, id, 1, headers), await restore(api, id, 1, headers)];
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body.data).toEqual(first.body.data);
    expect(expectSuccess(await restore(api, id, 1))).toMatchObject({ version: 3 });
    expect(expectSuccess(await restore(api, id, 3))).toMatchObject({ version: 3 });
  });

  it.each(['0', '3', '-1', '1.0', '01', 'x', '2147483648', '99999999999999999999', '%00'])(
    'the versions of a template do not have the number %s',
    async (number) => {
      const { api } = await app.account();
      const id = await grown(api, ['One', 'Two']);
      expectFailure(await read(api, id, number), 404, 'NOT_FOUND');
      expectFailure(await restore(api, id, number), 404, 'NOT_FOUND');
    },
  );
});
