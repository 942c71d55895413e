import { AnalysisProviders } from '../../src/features/analysis/providers/analysis-providers.js';
import { BackgroundTasks } from '../../src/platform/background/background-tasks.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { jobWhen } from '../support/jobs.js';
import { dataOf, type ShownEnhancement } from './shown.js';
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
afterEach(() => {
  provider.until = Promise.resolve();
});

const AUTO = { aiSettings: { autoEnhance: true } };
const documentOf = async (api: ApiClient, content: string, more: object = AUTO) =>
  dataOf<{ id: string }>(await api.createDocument({ title: 'Text', content, ...more })).id;
const listOf = async (api: ApiClient, id: string) =>
  dataOf<ShownEnhancement[]>(await api.listEnhancements(id));
const runAll = () => app.app.get(BackgroundTasks).runAll();

/** Leaves the document alone and returns what is proposed after that. */
async function afterRest(api: ApiClient, id: string): Promise<ShownEnhancement[]> {
  app.clock.advance(5_000);
  await runAll();
  const list = await listOf(api, id);
  for (const { jobId } of list) await jobWhen(api, jobId, ({ finishedAt }) => finishedAt !== null);
  return listOf(api, id);
}

describe('A document with autoEnhance', () => {
  it('A document with autoEnhance gets suggestions five seconds after its creation, and does not change', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh cat');
    await runAll();
    app.clock.advance(4_900);
    await runAll();
    expect(await listOf(api, id)).toEqual([]);
    const [made, ...others] = await afterRest(api, id);
    expect(others).toEqual([]);
    expect(made).toMatchObject({
      status: 'proposed',
      automatic: true,
      baseVersion: 1,
      goals: ['correct'],
      suggestionCounts: { open: 1 },
    });
    expect(dataOf<object>(await api.readDocument(id))).toMatchObject({
      content: 'teh cat',
      version: 1,
    });
    const events = dataOf<{ type: string }[]>(await api.send('GET', '/v1/events'));
    const enhanced = events.filter(({ type }) => type === 'document.enhanced');
    expect(enhanced).toHaveLength(1);
    expect(enhanced[0]).toMatchObject({ actor: null, data: { enhancement: { automatic: true } } });
    expect(await afterRest(api, id)).toHaveLength(1);
  });

  it('A document with autoEnhance gets suggestions after each change of its content, and after no other change', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh cat');
    await afterRest(api, id);
    await api.patchDocument(id, { title: 'Other' });
    expect(await afterRest(api, id)).toHaveLength(1);
    await api.patchDocument(id, { content: 'teh dog' });
    expect((await afterRest(api, id)).map((one) => one.baseVersion)).toEqual([3, 1]);
  });

  it('A document with autoEnhance is enhanced once after many changes in a row', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh 0');
    for (let n = 1; n < 4; n += 1) {
      app.clock.advance(3_000);
      await api.patchDocument(id, { content: `teh ${String(n)}` });
      await runAll();
    }
    expect((await afterRest(api, id)).map((one) => one.baseVersion)).toEqual([4]);
  });

  it('A document with autoEnhance has its enhancement in progress cancelled when it changes again', async () => {
    const { api } = await app.account();
    const id = await documentOf(api, 'teh old');
    provider.until = new Promise(() => undefined);
    app.clock.advance(5_000);
    await runAll();
    const [pending] = await listOf(api, id);
    if (pending?.status !== 'pending') throw new Error('Nothing is under way.');
    await jobWhen(api, pending.jobId, () => provider.seen.includes('teh old'));
    provider.until = Promise.resolve();
    await api.patchDocument(id, { content: 'teh new' });
    await runAll();
    const { status } = await jobWhen(api, pending.jobId, ({ finishedAt }) => finishedAt !== null);
    expect(status).toBe('cancelled');
    expect(await listOf(api, id)).toEqual([]);
    expect((await afterRest(api, id)).map((one) => one.baseVersion)).toEqual([2]);
  });

  it("A document with autoEnhance gets no suggestions, and its writes succeed, when the plan's daily quota is used up", async () => {
    const { api, accountId } = await app.account({ plan: 'free' });
    const id = await documentOf(api, 'teh cat');
    const today = app.clock.now();
    await app.dataSource.query(
      'INSERT INTO analysis_usage (account_id, day, analyses) VALUES ($1, $2::timestamptz, 200)',
      [accountId, today],
    );
    expect(await afterRest(api, id)).toEqual([]);
    expectSuccess(await api.patchDocument(id, { content: 'teh dog' }));
    expect(await afterRest(api, id)).toEqual([]);
  });

  it('A document with autoEnhance gets no suggestions in the trash, or after autoEnhance is turned off', async () => {
    const { api } = await app.account();
    const [deleted, changed, never] = [
      await documentOf(api, 'teh a'),
      await documentOf(api, 'teh b'),
      await documentOf(api, 'teh c', { aiSettings: { autoEnhance: false } }),
    ];
    await api.deleteDocument(deleted);
    await api.patchDocument(changed, { aiSettings: { autoEnhance: false } });
    await afterRest(api, changed);
    await api.restoreDocument(deleted);
    for (const id of [deleted, changed, never]) expect(await afterRest(api, id)).toEqual([]);
  });
});
