import { CheckerLimits } from '../../src/features/analysis/checker/checker-engine.js';
import type { TestAccount } from '../support/accounts.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';

/** The first check of a process loads the engine. */
const PATIENCE_MS = 240_000;
jest.setTimeout(PATIENCE_MS);

interface Found {
  id: string;
  original: string;
  status: string;
}

const TEXT = 'It is teh first.\n\nWe recieve it.\n\n```\nteh code\n```\n\nIt is untill then.';

let app: TestApp;
let account: TestAccount & { api: ApiClient };
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'all' } });
  app.app.get(CheckerLimits).timeLimitMs = PATIENCE_MS;
  account = await app.account();
  await check({ content: 'Warm.' });
}, PATIENCE_MS);
afterAll(() => app.close());

const send = (body: object) =>
  account.api.send('POST', '/v1/analyze', { body: { store: false, ...body } });

async function check(body: object): Promise<Found[]> {
  const response = await send(body);
  expectSuccess(response);
  return (response.body.data as { issues: Found[] }).issues;
}

async function documentOf(content: string): Promise<string> {
  const response = await account.api.createDocument({ title: 'Text', content });
  return (response.body.data as { id: string }).id;
}

const originalsOf = (found: readonly Found[]) => found.map(({ original }) => original);
const rangeOf = (words: string) => {
  const start = TEXT.indexOf(words);
  return { start, end: start + words.length };
};

/** Returns the characters that the account has had checked today. */
async function counted(): Promise<number> {
  const { body } = await account.api.send('GET', '/v1/usage');
  const { quotas } = body.data as { quotas: Record<string, { used: number }> };
  return quotas['checkCharactersPerDay']?.used ?? 0;
}

describe('Checks without storing', () => {
  it('Checks without storing have the issues of the stored analysis, and store no job', async () => {
    const id = await documentOf(TEXT);
    const stored = await eventually(
      () => account.api.analyzeDocument(id, {}),
      ({ status }) => status === 200,
      PATIENCE_MS,
    );
    const { issues } = stored.body.data as { issues: Found[] };
    const jobs = async () => {
      const [row] = await app.dataSource.query<{ n: number }[]>(
        'SELECT count(*)::integer AS n FROM jobs',
      );
      return row?.n;
    };
    const before = await jobs();
    expect(originalsOf(issues)).toEqual(['teh', 'recieve', 'untill']);
    expect(await check({ content: TEXT, documentId: id })).toEqual(issues);
    expect(await jobs()).toBe(before);
  });

  it('Checks without storing report and count only the paragraphs of the ranges', async () => {
    const content = `${TEXT}\n\nA sentence that nobody has had checked before, with teh end.`;
    const start = content.indexOf('nobody');
    const before = await counted();
    const found = await check({ content, ranges: [{ start, end: start + 1 }] });
    expect(originalsOf(found)).toEqual(['teh']);
    expect((await counted()) - before).toBe(
      'A sentence that nobody has had checked before, with teh end.'.length,
    );
    await check({ content, ranges: [{ start, end: start + 1 }] });
    expect((await counted()) - before).toBeLessThan(100);
    expect(originalsOf(await check({ content, ranges: [rangeOf('recieve')] }))).toEqual([
      'recieve',
    ]);
  });

  it.each([
    [
      'words that it uses three times',
      'We like the kubernetez.',
      'The kubernetez. My kubernetez.',
      ['kubernetez'],
      [],
    ],
    [
      'its language',
      'Nähmlich gut.',
      'Das Wetter ist heute schön, und die Katze schläft im Garten.',
      [],
      ['Nähmlich'],
    ],
  ])(
    'Checks without storing use the rest of the text as context: %s',
    async (_, paragraph, rest, alone, within) => {
      const ranges = [{ start: 0, end: 5 }];
      expect(originalsOf(await check({ content: paragraph, ranges }))).toEqual(alone);
      const content = `${paragraph}\n\n${rest}`;
      expect(originalsOf(await check({ content, ranges }))).toEqual(within);
    },
  );

  it('Checks without storing use the settings and dismissals of a document, also of issues that they found', async () => {
    const id = await documentOf('Something else.');
    const [first] = await check({ content: TEXT, documentId: id });
    const issueIds = [first?.id];
    const refused = await account.api.dismissIssues(id, { issueIds });
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expectFailure(
      await account.api.dismissIssues(id, {
        issueIds,
        content: TEXT,
        ranges: [rangeOf('recieve')],
      }),
      400,
      'INVALID_REQUEST',
    );
    expectSuccess(
      await account.api.dismissIssues(id, { issueIds, content: TEXT, ranges: [rangeOf('teh')] }),
    );
    const found = await check({ content: TEXT, documentId: id });
    expect(found.map(({ status }) => status)).toEqual(['rejected', 'open', 'open']);
    expect((await check({ content: TEXT })).map(({ status }) => status)).toEqual([
      'open',
      'open',
      'open',
    ]);
    const content = 'The colour is nice.';
    expect(originalsOf(await check({ content, documentId: id }))).toEqual([]);
    expectSuccess(await account.api.patchDocument(id, { aiSettings: { language: 'en-US' } }));
    expect(originalsOf(await check({ content, documentId: id }))).toEqual(['colour']);
  });

  it.each([
    ['ranges of a stored analysis', { store: true, ranges: [{ start: 0, end: 1 }] }, 400],
    [
      'a document of a stored analysis',
      { store: true, documentId: 'doc_01h2xcejqtf2nbrexx3vqjhp41' },
      400,
    ],
    ['no ranges', { ranges: [] }, 400],
    ['a range without an end', { ranges: [{ start: 0 }] }, 400],
    ['a negative range', { ranges: [{ start: -1, end: 1 }] }, 400],
    ['an unknown document', { documentId: 'doc_01h2xcejqtf2nbrexx3vqjhp41' }, 404],
    ['a long text', { content: 'a '.repeat(40_000) }, 413],
  ])('Checks without storing refuse %s', async (_, body, status) => {
    expect((await send({ content: 'A text.', ...body })).status).toBe(status);
  });

  it('Checks without storing refuse the documents of other accounts', async () => {
    const id = await documentOf('Mine.');
    const other = await app.account();
    const body = { content: 'A text.', store: false, documentId: id };
    expectFailure(await other.api.send('POST', '/v1/analyze', { body }), 404, 'NOT_FOUND');
  });
});
