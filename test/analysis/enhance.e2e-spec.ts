import { request } from 'undici';
import { AnalysisOrdersService } from '../../src/features/analysis/analyses/analysis-orders.service.js';
import { AnalysisProviders } from '../../src/features/analysis/providers/analysis-providers.js';
import { AppError } from '../../src/platform/basics/errors/app-error.js';
import { JobCrash } from '../../src/features/jobs/worker/attempt-outcome.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { jobWhen } from '../support/jobs.js';
import {
  dataOf,
  enhancementOf,
  idOf,
  named,
  type ShownEnhancement,
  type ShownSuggestion,
} from './shown.js';
import { WordListProvider } from './word-list-provider.js';

let app: TestApp;
const provider = new WordListProvider();

beforeAll(async () => {
  app = await startTestApp({
    environment: { PROCESS_ROLE: 'all' },
    overrides: [[AnalysisProviders, provider]],
  });
});
afterAll(() => app.close());
const orders = () => app.app.get(AnalysisOrdersService, { strict: false });
afterEach(() => {
  orders().waitMs = 5_000;
  provider.until = Promise.resolve();
  provider.failure = undefined;
});

interface ShownVersion {
  number: number;
  author: object;
  origin: { suggestionIds: string[] } | null;
}
interface ShownEvent {
  type: string;
  data: { enhancement: object };
}
interface Pending {
  id: string;
  enhancementId: string;
}

const documentOf = async (api: ApiClient, content: string) =>
  dataOf<{ id: string }>(await api.createDocument({ title: 'Text', content })).id;
const readOf = async (api: ApiClient, id: string) =>
  dataOf<{ content: string; createdBy: object }>(await api.readDocument(id));
const contentOf = async (api: ApiClient, id: string) => (await readOf(api, id)).content;
const versionsOf = async (api: ApiClient, id: string) =>
  dataOf<ShownVersion[]>(await api.send('GET', `/v1/documents/${id}/versions`));
const issuesOf = async (api: ApiClient, id: string) =>
  dataOf<{ issues: ShownSuggestion[] }>(await api.analyzeDocument(id, {})).issues;

async function eventsOf(api: ApiClient, type: string): Promise<ShownEvent[]> {
  const events = dataOf<ShownEvent[]>(await api.send('GET', '/v1/events'));
  return events.filter((event) => event.type === type);
}

/** Returns a new, completed enhancement. */
async function enhanced(api: ApiClient, id: string): Promise<ShownEnhancement> {
  const response = await api.enhanceDocument(id, {});
  expect(response.status).toBe(201);
  return enhancementOf(response);
}

const problemsOf = (response: ApiResponse) =>
  (response.body as { error: { details: { problems: { field: string; issue: string }[] } } }).error
    .details.problems;

describe('Enhancing a document', () => {
  it('Enhancing a document proposes suggestions with a preview and a diff, and changes nothing', async () => {
    const { api } = await app.account();
    const content = 'One 🙂 teh cat.\r\nWe definately recieve alot.\n';
    const id = await documentOf(api, content);
    const response = await api.enhanceDocument(id, {});
    const made = expectSuccess(response, 201) as ShownEnhancement;
    expect(response.headers['location']).toBe(`/v1/documents/${id}/enhancements/${made.id}`);
    expect(made).toMatchObject({
      id: expect.stringMatching(/^enh_/),
      documentId: id,
      baseVersion: 1,
      textVersion: 1,
      status: 'proposed',
      automatic: false,
      goals: ['correct'],
      suggestionCounts: { open: 4, accepted: 0, rejected: 0, stale: 0 },
      engine: { name: 'word-list', version: '1' },
      error: null,
      preview: 'One 🙂 the cat.\r\nWe definitely receive alot.\n',
    });
    for (const { start, end, original } of made.suggestions) {
      expect(content.slice(start, end)).toBe(original);
    }
    expect(named(made, 'recieve')[0]).toMatchObject({ line: 2, column: 15 });
    expect(made.diff?.unified).toContain('+We definitely receive alot.');
    expect(await contentOf(api, id)).toBe(content);
    const read = await api.readEnhancement(id, made.id);
    expect(dataOf<object>(read)).toEqual(made);
    const [item] = dataOf<object[]>(await api.listEnhancements(id));
    const { suggestions, fieldChanges, preview, diff } = made as ShownEnhancement & {
      fieldChanges: object[];
    };
    expect(item).not.toHaveProperty('suggestions');
    expect({ ...item, suggestions, fieldChanges, preview, diff }).toEqual(made);
  });

  it('Enhancing a document adds to a list with its exact total, page by page', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'We definately recieve alot.');
    const made = [await enhanced(api, id), await enhanced(api, id), await enhanced(api, id)];
    const list = async (query: string) => {
      const response = await api.send('GET', `/v1/documents/${id}/enhancements?limit=2${query}`);
      const { meta } = response.body as { meta: { pagination: { nextCursor: string | null } } };
      return {
        ids: dataOf<{ id: string }[]>(response).map((one) => one.id),
        pagination: meta.pagination,
      };
    };
    const first = await list('');
    expect(first.pagination).toMatchObject({ page: 1, total: 3, pages: 2, hasMore: true });
    const next = await list(`&cursor=${first.pagination.nextCursor ?? ''}`);
    expect(next.pagination).toEqual({ limit: 2, total: 3, hasMore: false, nextCursor: null });
    expect([...first.ids, ...next.ids]).toEqual(made.map((one) => one.id).reverse());
    expect((await list('&page=2')).ids).toEqual(next.ids);
  });

  it('Enhancing a document adds to a list with its exact total, page by page', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'We definately recieve alot.');
    const made = [await enhanced(api, id), await enhanced(api, id), await enhanced(api, id)];
    const list = async (query: string) => {
      const response = await api.send('GET', `/v1/documents/${id}/enhancements?limit=2${query}`);
      const { meta } = response.body as { meta: { pagination: { nextCursor: string | null } } };
      return {
        ids: dataOf<{ id: string }[]>(response).map((one) => one.id),
        pagination: meta.pagination,
      };
    };
    const first = await list('');
    expect(first.pagination).toMatchObject({ page: 1, total: 3, pages: 2, hasMore: true });
    const next = await list(`&cursor=${first.pagination.nextCursor ?? ''}`);
    expect(next.pagination).toEqual({ limit: 2, total: 3, hasMore: false, nextCursor: null });
    expect([...first.ids, ...next.ids]).toEqual(made.map((one) => one.id).reverse());
    expect((await list('&page=2')).ids).toEqual(next.ids);
  });

  it('Enhancing a document emits document.enhanced once, with counts', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh alot');
    const { id: enhancementId } = await enhanced(api, id);
    const events = await eventsOf(api, 'document.enhanced');
    expect(events).toHaveLength(1);
    expect(events[0]?.data.enhancement).toEqual({
      id: enhancementId,
      baseVersion: 1,
      goals: ['correct'],
      automatic: false,
      suggestions: 2,
      bySeverity: { error: 2 },
      byCategory: { spelling: 2 },
    });
  });

  it('Enhancing a document returns its job and the ID of the enhancement when it takes longer', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh cat');
    let go: (value: unknown) => void = () => undefined;
    provider.until = new Promise((resolve) => (go = resolve));
    orders().waitMs = 100;
    const response = await api.enhanceDocument(id, {});
    const { id: jobId, enhancementId } = expectSuccess(response, 202) as Pending;
    expect(response.headers['location']).toBe(`/v1/jobs/${jobId}`);
    const pending = enhancementOf(await api.readEnhancement(id, enhancementId));
    expect(pending).toMatchObject({
      status: 'pending',
      suggestions: [],
      preview: null,
      diff: null,
    });
    expectFailure(
      await api.applySuggestions(id, enhancementId, { suggestionIds: 'all' }),
      409,
      'INVALID_REQUEST',
    );
    go(undefined);
    await jobWhen(api, jobId, ({ status }) => status === 'succeeded');
    const made = enhancementOf(await api.readEnhancement(id, enhancementId));
    expect(made).toMatchObject({ status: 'proposed', preview: 'the cat' });
  });

  it('Enhancing a document leaves a failed enhancement with the reason, and the document unchanged', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh cat');
    provider.failure = new AppError('bad_request', 'The model said no.', { why: 'no' });
    const failed = await enhanced(api, id);
    expect(failed).toMatchObject({
      status: 'failed',
      suggestions: [],
      preview: null,
      error: { code: 'INVALID_REQUEST', message: 'The model said no.', details: { why: 'no' } },
    });
    expect(await contentOf(api, id)).toBe('teh cat');
    const apply = await api.applySuggestions(id, failed.id, { suggestionIds: 'all' });
    expectFailure(apply, 409, 'INVALID_REQUEST');
  });

  it('Enhancing a document reports that a text that crashes its thread three times is in quarantine', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh cat');
    provider.failure = new JobCrash('ended its thread');
    orders().waitMs = 100;
    const { id: jobId, enhancementId } = dataOf<Pending>(await api.enhanceDocument(id, {}));
    // The pause before each attempt is longer than this test.
    while ((await jobWhen(api, jobId, ({ status }) => status !== 'running')).status === 'queued') {
      await app.dataSource.query(`UPDATE jobs SET run_at = clock_timestamp()`);
      await app.dataSource.query(`SELECT pg_notify('jobs', '')`);
    }
    const failed = enhancementOf(await api.readEnhancement(id, enhancementId));
    expect(failed.status).toBe('failed');
    expect(failed.error?.details).toMatchObject({ quarantined: true });
    expect(failed.error?.message).toContain('quarantine');
  });

  it.each([
    [{ apply: true }, 'apply'],
    [{ goals: [] }, 'goals'],
    [{ goals: ['better'] }, 'goals'],
    [{ goals: 'correct' }, 'goals'],
    [{ instructions: 7 }, 'instructions'],
    [{ suggestionIds: [] }, 'suggestionIds'],
  ])('Enhancing a document refuses %j and names the field', async (body, name) => {
    const { api } = await app.account();
    const response = await api.enhanceDocument(await documentOf(api, 'x'), body);
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(problemsOf(response)[0]?.field).toContain(name);
  });

  it('Enhancing a document says that the offline engine cannot do what needs a model', async () => {
    const { api } = await app.account();
    const response = await api.enhanceDocument(await documentOf(api, 'x'), { goals: ['shorten'] });
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(response.text).toContain('needs a model');
  });

  it('Enhancing a document requires the details that a goal needs', async () => {
    const { api, accountId } = await app.account();
    await app.dataSource.query(
      `INSERT INTO analysis_settings (account_id, provider, updated_at) VALUES ($1, 'model', now())`,
      [accountId],
    );
    const id = await documentOf(api, 'teh');
    const response = await api.enhanceDocument(id, { goals: ['tone', 'translate', 'custom'] });
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(problemsOf(response).map((one) => one.field)).toEqual([
      'tone',
      'targetLanguage',
      'instructions',
    ]);
    const made = expectSuccess(
      await api.enhanceDocument(id, { goals: ['tone'], tone: 'kind' }),
      201,
    );
    expect(made).toMatchObject({ goals: ['tone'], effectiveSettings: { tone: 'kind' } });
  });

  it('Enhancing a document counts against the daily analyses, and is refused when they are used up', async () => {
    const { api, accountId } = await app.account({ plan: 'free' });
    const id = await documentOf(api, 'teh');
    await enhanced(api, id);
    const usage: unknown = await app.dataSource.query(
      'SELECT analyses FROM analysis_usage WHERE account_id = $1',
      [accountId],
    );
    expect(usage).toEqual([{ analyses: 1 }]);
    await app.dataSource.query('UPDATE analysis_usage SET analyses = 200 WHERE account_id = $1', [
      accountId,
    ]);
    const refused = await api.enhanceDocument(id, {});
    expectFailure(refused, 403, 'FORBIDDEN');
    expect(dataOf<object[]>(await api.listEnhancements(id))).toHaveLength(1);
  });

  it('Enhancing a document needs the scopes for each action, and shows nothing to other accounts', async () => {
    const account = await app.account();
    const { api } = account;
    const other = await app.account();
    const id = await documentOf(api, 'teh');
    const { id: enhancementId } = await enhanced(api, id);
    const withScope = async (scope: string) =>
      app.api((await app.anotherKey(account, { scopes: [scope as never] })).key);
    const reader = await withScope('documents:read');
    const analyst = await withScope('documents:analyze');
    const writer = await withScope('documents:write');
    expectFailure(await reader.enhanceDocument(id, {}), 403, 'FORBIDDEN');
    expectFailure(await writer.enhanceDocument(id, {}), 403, 'FORBIDDEN');
    expectFailure(await analyst.readEnhancement(id, enhancementId), 403, 'FORBIDDEN');
    const all = { suggestionIds: 'all' };
    expectFailure(await analyst.applySuggestions(id, enhancementId, all), 403, 'FORBIDDEN');
    expectFailure(await writer.rejectSuggestions(id, enhancementId, all), 403, 'FORBIDDEN');
    expectSuccess(await reader.readEnhancement(id, enhancementId));
    const elsewhere = await documentOf(other.api, 'teh');
    expectFailure(await other.api.readEnhancement(id, enhancementId), 404, 'NOT_FOUND');
    expectFailure(await other.api.readEnhancement(elsewhere, enhancementId), 404, 'NOT_FOUND');
    expectFailure(await other.api.applySuggestions(id, enhancementId, all), 404, 'NOT_FOUND');
    expectFailure(
      await other.api.applySuggestions(elsewhere, enhancementId, all),
      404,
      'NOT_FOUND',
    );
    expectFailure(
      await other.api.rejectSuggestions(elsewhere, enhancementId, all),
      404,
      'NOT_FOUND',
    );
    expectSuccess(await writer.applySuggestions(id, enhancementId, all));
  });
});

it('The stream of an enhancement sends progress, then the finished enhancement, and ends', async () => {
  const { api, key } = await app.account();
  const id = await documentOf(api, 'teh cat');
  let go: (value: unknown) => void = () => undefined;
  provider.until = new Promise((resolve) => (go = resolve));
  orders().waitMs = 100;
  const { id: jobId, enhancementId } = dataOf<Pending>(await api.enhanceDocument(id, {}));
  await jobWhen(api, jobId, ({ status }) => status === 'running');
  const url = `${app.origin}/v1/documents/${id}/enhancements/${enhancementId}/stream`;
  const open = () => request(url, { headers: { authorization: `Bearer ${key}` } });
  const { statusCode, headers, body } = await open();
  expect(statusCode).toBe(200);
  expect(headers['content-type']).toBe('text/event-stream; charset=utf-8');
  let text = '';
  for await (const chunk of body) {
    text += String(chunk);
    if (text.includes('event: progress')) go(undefined);
  }
  expect(text).toMatch(/^retry: 2000\n: the stream is open\n\nevent: progress\ndata: \{"status":"running"/);
  const done = /event: done\ndata: (.*)\n\n$/.exec(text)?.[1] ?? '';
  expect(JSON.parse(done)).toMatchObject({ status: 'proposed', suggestionCounts: { open: 1 } });
  const again = await (await open()).body.text();
  expect(again).toContain('event: done');
  expect(again).not.toContain('event: progress');
}); // prettier-ignore

describe('Applying suggestions', () => {
  it('Applying suggestions creates one version that lists the suggestions and who applied them, with the event', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh cat. We recieve alot.');
    const made = await enhanced(api, id);
    const ids = [idOf(made, 'teh'), idOf(made, 'recieve')];
    const response = await api.applySuggestions(id, made.id, { suggestionIds: ids });
    const applied = expectSuccess(response) as ShownEnhancement;
    expect(response.headers['etag']).toBe('"2"');
    expect(applied).toMatchObject({
      status: 'partially_applied',
      documentVersion: 2,
      textVersion: 2,
      conflicts: [],
      suggestionCounts: { open: 1, accepted: 2, rejected: 0, stale: 0 },
    });
    expect(named(applied, 'recieve')[0]).toMatchObject({
      status: 'accepted',
      chosen: 'receive',
      appliedVersion: 2,
    });
    expect(await contentOf(api, id)).toBe('the cat. We receive alot.');
    const [version] = await versionsOf(api, id);
    const origin = { type: 'enhancement', enhancementId: made.id, suggestionIds: ids };
    expect(version).toMatchObject({ number: 2, changes: ['content'], origin });
    expect(version?.author).toEqual((await readOf(api, id)).createdBy);
    const events = await eventsOf(api, 'document.updated');
    expect(events).toHaveLength(1);
    expect(events[0]?.data).toMatchObject({ changes: ['content'], origin });
    await api.patchDocument(id, { title: 'Other' });
    const versions = await versionsOf(api, id);
    expect(versions.map((one) => one.origin)).toEqual([null, origin, null]);
    const whole = await api.send('GET', `/v1/documents/${id}/versions/2`);
    expect(dataOf<ShownVersion>(whole).origin).toEqual(origin);
  });

  it('Applying suggestions changes nothing the second time', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh cat. teh dog.');
    const made = await enhanced(api, id);
    const body = { suggestionIds: 'all', replacements: { [idOf(made, 'teh')]: 'the' } };
    const first = enhancementOf(await api.applySuggestions(id, made.id, body));
    expect(first.status).toBe('applied');
    const second = enhancementOf(await api.applySuggestions(id, made.id, body));
    expect(second).toMatchObject({ status: 'applied', documentVersion: 2 });
    const byName = { suggestionIds: [idOf(made, 'teh', 1)] };
    expect(enhancementOf(await api.applySuggestions(id, made.id, byName)).documentVersion).toBe(2);
    expect(await contentOf(api, id)).toBe('the cat. the dog.');
    expect(await versionsOf(api, id)).toHaveLength(2);
  });

  it('Applying suggestions applies each suggestion once when two requests apply at the same time', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh a. teh b. definately c. recieve d.');
    const made = await enhanced(api, id);
    const bodies = [
      { suggestionIds: 'all' },
      { suggestionIds: 'all' },
      { suggestionIds: [idOf(made, 'teh')] },
      { suggestionIds: [idOf(made, 'teh', 1), idOf(made, 'recieve')] },
    ];
    const responses = await Promise.all(
      bodies.map((body) => api.applySuggestions(id, made.id, body)),
    );
    for (const response of responses) expectSuccess(response);
    expect(await contentOf(api, id)).toBe('the a. the b. definitely c. receive d.');
    const origins = (await versionsOf(api, id)).flatMap((one) => one.origin?.suggestionIds ?? []);
    expect([...origins].sort()).toEqual(made.suggestions.map((one) => one.id).sort());
  });

  it('Applying suggestions refuses overlapping suggestions that are both named by ID', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh recieve works');
    const made = await enhanced(api, id);
    const [long, short] = [idOf(made, 'teh recieve'), idOf(made, 'recieve')];
    const response = await api.applySuggestions(id, made.id, { suggestionIds: [long, short] });
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(problemsOf(response)).toEqual([
      {
        field: 'suggestionIds[1]',
        issue: expect.stringContaining(`${short} overlaps ${long}`) as string,
      },
    ]);
    expect(await contentOf(api, id)).toBe('teh recieve works');
  });

  it('Applying suggestions with all, applies the first of overlapping suggestions and names the others', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh recieve works');
    const made = await enhanced(api, id);
    const applied = enhancementOf(
      await api.applySuggestions(id, made.id, { suggestionIds: 'all' }),
    );
    const teh = idOf(made, 'teh');
    expect(applied.conflicts).toEqual([{ id: idOf(made, 'teh recieve'), with: teh }]);
    expect(await contentOf(api, id)).toBe(made.preview);
    expect(await contentOf(api, id)).toBe('the receive works');
    expect(named(applied, 'teh recieve')[0]?.status).toBe('stale');
  });

  it('Applying suggestions with safe, applies only suggestions whose first replacement has a confidence of at least 0.9', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh cat. recieve it. thier dog. seperate. alot.');
    const made = await enhanced(api, id);
    expect(made.suggestions.map(({ original, safe }) => [original, safe])).toEqual([
      ['teh', true],
      ['recieve', false],
      ['thier', false],
      ['seperate', true],
      ['alot', false],
    ]);
    const body = { suggestionIds: 'all', safe: true };
    const applied = enhancementOf(await api.applySuggestions(id, made.id, body));
    expect(await contentOf(api, id)).toBe('the cat. recieve it. thier dog. separate. alot.');
    expect(applied.suggestionCounts).toEqual({ open: 3, accepted: 2, rejected: 0, stale: 0 });
  });

  it('Applying suggestions applies the chosen replacement if the suggestion has it', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'recieve it');
    const made = await enhanced(api, id);
    const suggestionIds = [idOf(made, 'recieve')];
    const [only = ''] = suggestionIds;
    const wrong = await api.applySuggestions(id, made.id, {
      suggestionIds,
      replacements: { [only]: 'x' },
    });
    expectFailure(wrong, 400, 'INVALID_REQUEST');
    await api.applySuggestions(id, made.id, { suggestionIds, replacements: { [only]: 'relieve' } });
    expect(await contentOf(api, id)).toBe('relieve it');
  });

  it('Applying suggestions refuses unknown or rejected IDs and ones with nothing to apply, and then applies nothing', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh cat. recieve it. alot.');
    const made = await enhanced(api, id);
    const rejected = idOf(made, 'recieve');
    await api.rejectSuggestions(id, made.id, { suggestionIds: [rejected] });
    for (const wrong of ['iss_unknown', rejected, idOf(made, 'alot')]) {
      const body = { suggestionIds: [idOf(made, 'teh'), wrong] };
      const response = await api.applySuggestions(id, made.id, body);
      expectFailure(response, 400, 'INVALID_REQUEST');
      expect(problemsOf(response)).toEqual([
        { field: 'suggestionIds[1]', issue: expect.stringContaining(wrong) as string },
      ]);
    }
    expect(await contentOf(api, id)).toBe('teh cat. recieve it. alot.');
  });

  it('Applying suggestions moves suggestions with a text that has changed, and marks the others stale', async () => {
    const { api } = await app.account();
    const id = await documentOf(
      api,
      '# One\n\nteh cat sat.\n\nWe recieve it. A definately b.\n\nthier dog\n',
    );
    const made = await enhanced(api, id);
    const content =
      '# New\n\nIntro.\n\nteh cat sat.\n\nWe recieve it. A definately c.\n\nthier dog\n';
    await api.patchDocument(id, { content });
    const applied = enhancementOf(
      await api.applySuggestions(id, made.id, { suggestionIds: 'all' }),
    );
    const expected =
      '# New\n\nIntro.\n\nthe cat sat.\n\nWe receive it. A definately c.\n\ntheir dog\n';
    expect(await contentOf(api, id)).toBe(expected);
    expect(named(applied, 'definately')[0]?.status).toBe('stale');
    expect(applied).toMatchObject({ status: 'partially_applied', baseVersion: 1, textVersion: 3 });
  });

  it('Applying suggestions marks an enhancement stale when all its passages are gone, and leaves the document unchanged', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh cat sat.');
    const made = await enhanced(api, id);
    await api.patchDocument(id, { content: 'A dog.' });
    const applied = enhancementOf(
      await api.applySuggestions(id, made.id, { suggestionIds: [idOf(made, 'teh')] }),
    );
    expect(applied).toMatchObject({ status: 'stale', documentVersion: 2, textVersion: 2 });
    expect(await contentOf(api, id)).toBe('A dog.');
  });

  it('Applying suggestions applies suggestions in random order between random edits of others without losing either', async () => {
    const { api } = await app.account();
    const lines = Array.from(
      { length: 12 },
      (_, n) => `Line ${String(n)} 🙂 teh ${'é'.repeat(n)} recieve end.\r`,
    );
    const id = await documentOf(api, lines.join('\n'));
    const made = await enhanced(api, id);
    let expected = lines;
    const order = [...made.suggestions].sort((one: any, other: any) =>
      one.id < other.id ? -1 : 1,
    );
    for (const [turn, suggestion] of order.entries()) {
      if (turn % 3 === 0) {
        const line = `Fresh ${String(turn)}\r`;
        expected = [...expected.slice(0, turn), line, ...expected.slice(turn)];
        await api.patchDocument(id, { content: expected.join('\n') });
      }
      const line = lines[suggestion.line - 1]?.slice(0, 7) ?? '';
      expected = expected.map((one) =>
        one.startsWith(line)
          ? one.replace(suggestion.original, suggestion.replacements[0]?.value ?? '')
          : one,
      );
      const { suggestions } = enhancementOf(
        await api.applySuggestions(id, made.id, { suggestionIds: [suggestion.id] }),
      );
      const content = await contentOf(api, id);
      expect(content).toBe(expected.join('\n'));
      for (const one of suggestions)
        if (one.status === 'open') expect(content.slice(one.start, one.end)).toBe(one.original);
    }
  });

  it('Applying suggestions respects If-Match like every change of a document', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh');
    const made = await enhanced(api, id);
    const body = { suggestionIds: 'all' };
    const refused = await api.applySuggestions(id, made.id, body, { 'if-match': '"7"' });
    expectFailure(refused, 412, 'INVALID_REQUEST');
    expectSuccess(await api.applySuggestions(id, made.id, body, { 'if-match': '"1"' }));
  });

  it('Applying suggestions happens once with an Idempotency-Key', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh');
    const made = await enhanced(api, id);
    const headers = { 'idempotency-key': 'k1' };
    const first = await api.applySuggestions(id, made.id, { suggestionIds: 'all' }, headers);
    const second = await api.applySuggestions(id, made.id, { suggestionIds: 'all' }, headers);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(dataOf<object>(second)).toEqual(dataOf<object>(first));
    const keyed = await api.enhanceDocument(id, {}, { 'idempotency-key': 'k2' });
    expect(keyed.status).toBe(202);
    const { id: jobId, enhancementId } = dataOf<Pending>(keyed);
    await jobWhen(api, jobId, ({ status }) => status === 'succeeded');
    expect(enhancementOf(await api.readEnhancement(id, enhancementId)).status).toBe('proposed');
  });
});

describe('Rejecting suggestions', () => {
  it('Rejecting suggestions prevents them from returning for the same sentence, wherever it moves', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh cat. teh dog.');
    const made = await enhanced(api, id);
    const body = { suggestionIds: [idOf(made, 'teh')] };
    const rejected = enhancementOf(await api.rejectSuggestions(id, made.id, body));
    expect(rejected).toMatchObject({
      status: 'proposed',
      suggestionCounts: { open: 1, rejected: 1 },
    });
    await api.patchDocument(id, { content: 'New.\n\nteh dog. And:\n\nteh cat.' });
    const again = await enhanced(api, id);
    expect(again.suggestions.map((one) => one.start)).toEqual([6]);
    expect((await issuesOf(api, id)).map((one) => one.status)).toEqual(['open', 'rejected']);
    const second = enhancementOf(
      await api.rejectSuggestions(id, made.id, { suggestionIds: 'all' }),
    );
    expect(second.status).toBe('rejected');
    expect(await versionsOf(api, id)).toHaveLength(2);
  });

  it('Rejecting suggestions refuses applied suggestions', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh cat. teh dog.');
    const made = await enhanced(api, id);
    const body = { suggestionIds: [idOf(made, 'teh')] };
    await api.applySuggestions(id, made.id, body);
    expectFailure(await api.rejectSuggestions(id, made.id, body), 400, 'INVALID_REQUEST');
  });
});

describe('Accepting suggestions', () => {
  it('Accepting suggestions marks them as accepted and changes neither the document nor its history', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh cat. We definately recieve alot.');
    const made = await enhanced(api, id);
    const suggestionIds = [idOf(made, 'teh'), idOf(made, 'recieve')];
    await api.patchDocument(id, { content: 'the cat. We definately receive alot.' });
    const response = await api.acceptSuggestions(id, made.id, { suggestionIds });
    expect(enhancementOf(response)).toMatchObject({
      status: 'partially_applied',
      suggestionCounts: { open: 2, accepted: 2, rejected: 0, stale: 0 },
    });
    expect(named(enhancementOf(response), 'teh')[0]).toMatchObject({
      status: 'accepted',
      chosen: null,
      appliedVersion: null,
    });
    expect(await versionsOf(api, id)).toHaveLength(2);
    expect(await eventsOf(api, 'document.updated')).toHaveLength(1);
    expect(await contentOf(api, id)).toBe('the cat. We definately receive alot.');
  });

  it('Accepting suggestions returns the same again, also for a repeated id and for ones that apply has marked', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh cat. We definately recieve alot.');
    const made = await enhanced(api, id);
    const teh = idOf(made, 'teh');
    await api.applySuggestions(id, made.id, { suggestionIds: [idOf(made, 'recieve')] });
    const suggestionIds = [teh, teh, idOf(made, 'recieve')];
    const first = enhancementOf(await api.acceptSuggestions(id, made.id, { suggestionIds }));
    app.clock.advance(1_000);
    const second = enhancementOf(await api.acceptSuggestions(id, made.id, { suggestionIds }));
    expect(second).toEqual(first);
    expect(named(second, 'recieve')[0]).toMatchObject({ chosen: 'receive', appliedVersion: 2 });
  });

  it('Accepting suggestions accepts suggestions that the edit has made stale', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh cat. We definately recieve alot.');
    const made = await enhanced(api, id);
    await api.patchDocument(id, { content: 'the cat. We definately receive a lot.' });
    const others = { suggestionIds: 'all', safe: true };
    const stale = enhancementOf(await api.applySuggestions(id, made.id, others));
    expect(named(stale, 'teh')[0]?.status).toBe('stale');
    const accepted = await api.acceptSuggestions(id, made.id, {
      suggestionIds: [idOf(made, 'teh')],
    });
    expect(named(enhancementOf(accepted), 'teh')[0]?.status).toBe('accepted');
  });

  it('Accepting suggestions refuses unknown and rejected IDs, and then accepts nothing', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh cat. We definately recieve alot.');
    const made = await enhanced(api, id);
    const rejected = idOf(made, 'recieve');
    await api.rejectSuggestions(id, made.id, { suggestionIds: [rejected] });
    for (const wrong of ['iss_unknown', rejected]) {
      const body = { suggestionIds: [idOf(made, 'teh'), wrong] };
      const response = await api.acceptSuggestions(id, made.id, body);
      expectFailure(response, 400, 'INVALID_REQUEST');
      expect(problemsOf(response)).toMatchObject([{ field: 'suggestionIds[1]' }]);
      expect(problemsOf(response)[0]?.issue).toContain(wrong);
    }
    const { suggestionCounts } = enhancementOf(await api.readEnhancement(id, made.id));
    expect(suggestionCounts).toMatchObject({ accepted: 0 });
  });

  it.each([
    ['none', {}],
    ['an empty list', { suggestionIds: [] }],
    ['all', { suggestionIds: 'all' }],
    ['a number', { suggestionIds: [1] }],
    ['501 ids', { suggestionIds: Array.from({ length: 501 }, () => 'iss_1') }],
  ])('Accepting suggestions refuses %s instead of up to 500 ids', async (_, body) => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh cat.');
    const made = await enhanced(api, id);
    expectFailure(await api.acceptSuggestions(id, made.id, body), 400, 'INVALID_REQUEST');
  });

  it('Accepting suggestions needs documents:write, and finds nothing in the trash or in another account', async () => {
    const account = await app.account();
    const { api } = account;
    const id = await documentOf(api, 'teh cat.');
    const made = await enhanced(api, id);
    const body = { suggestionIds: [idOf(made, 'teh')] };
    const { api: other } = await app.account();
    expectFailure(await other.acceptSuggestions(id, made.id, body), 404, 'NOT_FOUND');
    const { api: analyst } = await app.account({ scopes: ['documents:analyze'] });
    expectFailure(await analyst.acceptSuggestions(id, made.id, body), 403, 'FORBIDDEN');
    await api.deleteDocument(id);
    expectFailure(await api.acceptSuggestions(id, made.id, body), 404, 'NOT_FOUND');
  });
});

describe('Dismissals', () => {
  it('Dismissals are created from issues of an analysis, listed, and removed', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh cat. teh dog.');
    const issue = (await issuesOf(api, id))[1]?.id ?? '';
    const issueIds = [issue, issue];
    expect(dataOf<object>(await api.dismissIssues(id, { issueIds }))).toEqual({
      issueIds: [issue],
    });
    expectSuccess(await api.dismissIssues(id, { issueIds }));
    const list = await api.listDismissals(id);
    expect(dataOf<object[]>(list)).toEqual([
      {
        issueId: issue,
        createdBy: (await readOf(api, id)).createdBy,
        createdAt: app.clock.now().toISOString(),
      },
    ]);
    const statuses = async () => (await issuesOf(api, id)).map((one) => one.status);
    expect(await statuses()).toEqual(['open', 'rejected']);
    expect((await enhanced(api, id)).suggestions).toHaveLength(1);
    expect(dataOf<object>(await api.removeDismissal(id, issue))).toEqual({
      id: issue,
      deleted: true,
    });
    expectFailure(await api.removeDismissal(id, issue), 404, 'NOT_FOUND');
    expect(await statuses()).toEqual(['open', 'open']);
  });

  it.each([
    ['any text', 'nonsense'],
    ['an empty text', ''],
    ['text beyond ASCII', 'ä b'],
    ['U+0000', 'iss_\u0000'],
    ['an id that looks right', 'iss_8Qm2xT0aWk3e9ZrLbD5uNg'],
  ])('Dismissals refuse %s, name it, and dismiss nothing', async (_, unknown) => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh cat. teh dog.');
    const known = (await issuesOf(api, id)).map((issue) => issue.id);
    const refused = await api.dismissIssues(id, { issueIds: [...known, unknown] });
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.details.field).toBe('issueIds[2]');
    expect(dataOf<object[]>(await api.listDismissals(id))).toEqual([]);
  });

  it('Dismissals refuse the issues of another document, and name every unknown one', async () => {
    const { api } = await app.account();
    const [id, other] = [
      await documentOf(api, 'teh cat.'),
      await documentOf(api, 'definately so.'),
    ];
    const foreign = (await issuesOf(api, other))[0]?.id ?? '';
    await issuesOf(api, id);
    const refused = await api.dismissIssues(id, { issueIds: [foreign, 'x'] });
    expectFailure(refused, 400, 'INVALID_REQUEST');
    const problems = refused.body.error.details.problems as { field: string; issue: string }[];
    expect(problems.map(({ field }) => field)).toEqual(['issueIds[0]', 'issueIds[1]']);
    expect(problems[0]?.issue).toContain(foreign);
  });

  it('Dismissals accept issues of earlier analyses, and suggestions of enhancements', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh cat.');
    const before = (await issuesOf(api, id)).map((issue) => issue.id);
    const { suggestions } = await enhanced(api, id);
    await api.patchDocument(id, { content: 'definately so.' });
    const now = (await issuesOf(api, id)).map((issue) => issue.id);
    const issueIds = [...before, ...now];
    expectSuccess(await api.dismissIssues(id, { issueIds }));
    expectSuccess(await api.dismissIssues(id, { issueIds: suggestions.map((one) => one.id) }));
    await app.dataSource.query('DELETE FROM analyses');
    expectSuccess(await api.dismissIssues(id, { issueIds: suggestions.map((one) => one.id) }));
  });

  it('Dismissals of any text, which earlier releases stored, are listed and can be removed', async () => {
    const { api, accountId, userId } = await app.account();
    const id = await documentOf(api, 'teh cat.');
    await app.dataSource.query(
      `INSERT INTO dismissals (id, account_id, document_id, fingerprint, created_by, created_at)
       SELECT gen_random_uuid(), $1, id, 'ä b', $2, now() FROM documents WHERE account_id = $1`,
      [accountId, userId],
    );
    const listed = dataOf<{ issueId: string }[]>(await api.listDismissals(id));
    expect(listed.map(({ issueId }) => issueId)).toEqual(['ä b']);
    expectSuccess(await api.removeDismissal(id, encodeURIComponent('ä b')));
  });

  it('Dismissals belong to one account', async () => {
    const [mine, other] = [await app.account(), await app.account()];
    const id = await documentOf(mine.api, 'teh cat');
    expectFailure(await other.api.dismissIssues(id, { issueIds: ['iss_1'] }), 404, 'NOT_FOUND');
    expectFailure(await other.api.listDismissals(id), 404, 'NOT_FOUND');
  });
});

interface ShownQuality {
  documentVersion: number;
  scores: { overall: number };
}
const pageOf = (response: ApiResponse) =>
  (response.body as { meta: { pagination: { nextCursor: string } } }).meta.pagination;
const qualityOf = (response: ApiResponse) => dataOf<ShownQuality[]>(response);

it('The quality of a document lists the scores of each analyzed version, oldest first, in pages', async () => {
  const { api } = await app.account();
  const id = await documentOf(api, 'teh teh teh');
  await api.analyzeDocument(id, {});
  await api.analyzeDocument(id, { suggestionLevel: 'high' });
  await api.patchDocument(id, { content: 'teh' });
  const newest = dataOf<{ id: string; createdAt: string }>(await api.analyzeDocument(id, {}));
  const response = await api.listQuality(id);
  expect(qualityOf(response).map((one) => [one.documentVersion, one.scores.overall])).toEqual([
    [1, 70],
    [2, 90],
  ]);
  expect(qualityOf(response)[1]).toMatchObject({
    analysisId: newest.id,
    analyzedAt: newest.createdAt,
  });
  expect(pageOf(response)).toMatchObject({ total: 2, hasMore: false });
  const first = await api.listQuality(id, { limit: 1 });
  const { nextCursor } = pageOf(first);
  const second = await api.listQuality(id, { limit: 1, cursor: nextCursor });
  expect(qualityOf(second).map((one) => one.documentVersion)).toEqual([2]);
  const other = await app.account();
  expectFailure(await other.api.listQuality(id), 404, 'NOT_FOUND');
});
