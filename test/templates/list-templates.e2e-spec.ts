import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';

interface Listed {
  id: string;
  name: string;
  type: string;
  updatedAt: string;
}

const NAMES = ['delta', 'Alpha', 'émile', 'bravo', 'Zulu', 'alpha'];

let app: TestApp;
let api: ApiClient;
let ids: string[];
beforeAll(async () => {
  app = await startTestApp();
  ({ api } = await app.account());
  for (const { id } of (await api.listTemplates()).body.data as Listed[])
    await api.deleteTemplate(id);
  ids = [];
  for (const [index, name] of NAMES.entries()) {
    app.clock.advance(1_000);
    const type = index % 2 === 0 ? 'report' : 'article';
    const description = `Number ${String(index)}: 100% GROSSE Übersicht_${name}`;
    const body = { name, type, description, content: 'x', variables: [{ name: 'v' }] };
    ids.push(((await api.createTemplate(body)).body.data as Listed).id);
  }
  app.clock.advance(1_000);
  await api.patchTemplate(ids[1] ?? '', { content: 'y' });
});
afterAll(() => app.close());

async function names(query: Record<string, string | number>): Promise<string[]> {
  return (expectSuccess(await api.listTemplates(query)) as Listed[]).map(({ name }) => name);
}

describe('listing templates', () => {
  it('listing templates shows every field except the content, newest first', async () => {
    const response = await api.listTemplates();
    const listed = expectSuccess(response) as Listed[];
    expect(listed.map(({ id }) => id)).toEqual(ids.toReversed());
    const { content, ...rest } = expectSuccess(await api.readTemplate(ids[0] ?? '')) as Listed & {
      content: string;
    };
    expect(content).toBe('x');
    expect(listed.at(-1)).toEqual(rest);
    expect(response.body.meta.pagination).toEqual({
      page: 1,
      limit: 20,
      total: 6,
      pages: 1,
      hasMore: false,
      nextCursor: null,
    });
  });

  it.each([
    [{ sort: 'name', order: 'asc' }, ['Alpha', 'Zulu', 'alpha', 'bravo', 'delta', 'émile']],
    [{ sort: 'updated_at', limit: 2 }, ['Alpha', 'alpha']],
    [{ sort: 'created_at', order: 'asc', limit: 2, page: 2 }, ['émile', 'bravo']],
    [{ page: 9 }, []],
    [{ type: 'article', sort: 'name', order: 'asc' }, ['Alpha', 'alpha', 'bravo']],
    [{ type: 'technical' }, []],
    [{ q: 'ALPHA', sort: 'name', order: 'asc' }, ['Alpha', 'alpha']],
    [{ q: 'ÉMI' }, ['émile']],
    [{ q: 'number  übersicht zulu' }, ['Zulu']],
    [{ q: '%', limit: 1 }, ['alpha']],
    [{ q: 'number_1' }, []],
    [{ q: 'alpha', type: 'article', limit: 1 }, ['alpha']],
    [{ q: 'nothing like it' }, []],
    [{ q: '  ', limit: 1 }, ['alpha']],
  ])('listing templates by %j', async (query, expected) => {
    expect(await names(query as Record<string, string | number>)).toEqual(expected);
  });

  it('listing templates returns exact totals with filters, and supports cursors', async () => {
    const query = { type: 'article', sort: 'name', order: 'asc', limit: 2 };
    const first = await api.listTemplates(query);
    expect(first.body.meta.pagination).toMatchObject({ total: 3, pages: 2, hasMore: true });
    const { nextCursor } = first.body.meta.pagination as { nextCursor: string };
    const second = await api.listTemplates({ ...query, cursor: nextCursor });
    expect((second.body.data as Listed[]).map(({ name }) => name)).toEqual(['bravo']);
    expect(second.body.meta.pagination).toEqual({
      limit: 2,
      total: 3,
      hasMore: false,
      nextCursor: null,
    });
  });

  it.each([
    'limit=101',
    'limit=0',
    'page=x',
    'sort=title',
    'order=up',
    'type=letter',
    'q=a&q=b',
    'qq=a',
    'cursor=x',
  ])('listing templates refuses %s and names the field', async (query) => {
    const refused = await api.send('GET', `/v1/templates?${query}`);
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.details.field).toBe(query.split('=')[0]);
  });

  it('listing templates shows nothing of another account', async () => {
    const { api: other } = await app.account();
    const { data } = (await other.listTemplates({ limit: 100 })).body as { data: Listed[] };
    expect(data.filter(({ id }) => ids.includes(id))).toEqual([]);
  });
});
