import type { ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { updateIndex } from './document-rows.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'api' } });
  // As in an account where the parts of the phrase stand in more documents than are looked into.
  await app.dataSource.query(
    `CREATE OR REPLACE FUNCTION search_afford(texts bigint) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
     BEGIN
       IF texts > 2 THEN RAISE EXCEPTION 'too many texts' USING ERRCODE = 'SB002'; END IF;
       RETURN true;
     END $$`,
  );
});
afterAll(() => app.close());

const TITLES = [
  'alpha bravo',
  'bravo alpha',
  'alpha bravo kilo',
  'kilo',
  '机器学习',
  '学习机器',
  '用机器学习的人',
  '器学机器',
];

const WARNING = {
  field: 'q',
  issue:
    'has a phrase, or a stretch of characters, whose parts stand in too many documents to look into each; found is what has all of its parts, wherever they stand',
};

async function titled() {
  const { api, accountId } = await app.account();
  for (const title of TITLES) await api.createDocument({ title });
  await updateIndex(app.dataSource, accountId);
  return api;
}

function titlesOf(response: ApiResponse): string[] {
  return (expectSuccess(response) as { title: string }[]).map(({ title }) => title);
}

describe('a phrase whose parts stand in too many documents to look into each', () => {
  it.each([
    ['words', '"alpha bravo"', ['alpha bravo kilo', 'bravo alpha', 'alpha bravo']],
    ['characters', '机器学', ['器学机器', '用机器学习的人', '机器学习']],
    [
      'words without a rarer one',
      '"alpha bravo" or "bravo alpha"',
      ['alpha bravo kilo', 'bravo alpha', 'alpha bravo'],
    ],
  ])('finds what has all of its parts, and says so: %s', async (_, q, titles) => {
    const api = await titled();
    const response = await api.listDocuments({ q, sort: 'created_at' });
    expect(titlesOf(response)).toEqual(titles);
    expect(response.body.meta.pagination.total).toBe(titles.length);
    expect(response.body.meta.warnings).toEqual([WARNING]);
  });

  it('is found page by page, and counted by facets', async () => {
    const api = await titled();
    const query = { q: '"alpha bravo"', sort: 'created_at', order: 'asc', limit: 2 };
    const first = await api.listDocuments(query);
    expect(titlesOf(first)).toEqual(['alpha bravo', 'bravo alpha']);
    const cursor = first.body.meta.pagination.nextCursor as string;
    expect(titlesOf(await api.listDocuments({ ...query, cursor }))).toEqual(['alpha bravo kilo']);
    for (let time = 0; time < 2; time += 1) {
      const facets = await api.send('GET', '/v1/documents/facets?q=%22alpha+bravo%22');
      expect(expectSuccess(facets)).toMatchObject({ type: [{ value: 'document', count: 3 }] });
      expect(facets.body.meta.warnings).toEqual([WARNING]);
    }
  });

  it('is looked for in every text where other words leave few, without a word about it', async () => {
    const api = await titled();
    const response = await api.listDocuments({ q: '"alpha bravo" kilo' });
    expect(titlesOf(response)).toEqual(['alpha bravo kilo']);
    expect(response.body.meta.warnings).toBeUndefined();
  });

  it('is refused where it must not be there: more would be left out than was asked for', async () => {
    const api = await titled();
    const response = await api.listDocuments({ q: '-"alpha bravo"' });
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(response.body.error.message).toMatch(
      /excludes a phrase, .* add a rarer word or a filter/,
    );
    expect(titlesOf(await api.listDocuments({ q: 'kilo -"alpha bravo"' }))).toEqual(['kilo']);
  });
});
