import { TokenBudget } from '../../src/analysis/providers/model/token-budget.js';
import { BackgroundTasks } from '../../src/background/background-tasks.js';
import { Database } from '../../src/database/database.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { edits, FakeModel, says, status, type ModelBehaviour } from '../support/fake-model.js';
import { endOf } from '../support/jobs.js';

const CONTENT = 'We utilize the tool, and it is fine.';

interface Shown {
  status: string;
  error: { message: string; details: { reason: string } } | null;
  suggestions: { id: string; original: string; replacements: { value: string }[] }[];
  texts: { goal: string; text: string }[];
  dropped: Record<string, number>;
  engine: { name: string };
}

let app: TestApp;
let model: FakeModel;
beforeAll(async () => {
  model = await FakeModel.start();
  app = await startTestApp({
    environment: { PROCESS_ROLE: 'all', AI_BASE_URL: model.url, AI_MODEL: 'fake-1' },
  });
});
afterAll(async () => {
  await app.close();
  await model.close();
});

async function enhanced(behaviour: ModelBehaviour, wishes: object) {
  const { api } = await app.account();
  const body = { provider: 'model' };
  expectSuccess(await api.send('PATCH', '/v1/analysis-settings', { body }));
  const made = await api.createDocument({ title: 'x', content: CONTENT });
  const { id } = expectSuccess(made, 201) as { id: string };
  model.behave(behaviour);
  const answer = await api.send('POST', `/v1/documents/${id}/enhance`, { body: wishes });
  if (answer.status === 202) await endOf(api, answer);
  return { api, id, path: await pathOf(api, id) };
}

async function pathOf(api: ApiClient, id: string): Promise<string> {
  const list = expectSuccess(await api.send('GET', `/v1/documents/${id}/enhancements`));
  const [first] = list as { id: string }[];
  return `/v1/documents/${id}/enhancements/${String(first?.id)}`;
}

const read = async (api: ApiClient, path: string) =>
  expectSuccess(await api.send('GET', path)) as Shown;

describe('An enhancement by a model', () => {
  it('proposes, and changes the document when somebody applies it', async () => {
    const behaviour = edits(
      { find: 'utilize', replace: 'use' },
      { find: 'is nowhere', replace: 'x' },
    );
    const wishes = { goals: ['custom'], instructions: 'Use simple words.' };
    const { api, id, path } = await enhanced(behaviour, wishes);
    const shown = await read(api, path);
    expect(shown).toMatchObject({
      status: 'proposed',
      suggestions: [{ original: 'utilize', replacements: [{ value: 'use' }] }],
      dropped: { 'not-found': 1 },
      engine: { name: 'model:fake-1' },
    });
    const before = expectSuccess(await api.readDocument(id)) as { content: string };
    expect(before.content).toBe(CONTENT);
    const applied = await api.send('POST', `${path}/apply`, { body: { suggestionIds: 'all' } });
    expectSuccess(applied);
    const after = expectSuccess(await api.readDocument(id)) as { content: string };
    expect(after.content).toBe('We use the tool, and it is fine.');
  });

  it('shows a title beside the suggestions', async () => {
    const { api, path } = await enhanced(says('{"text": "Our tools"}'), { goals: ['title'] });
    expect((await read(api, path)).texts).toEqual([{ goal: 'title', text: 'Our tools' }]);
  });

  it('that fails says why, and leaves the document as it is', async () => {
    const wishes = { goals: ['tone'], tone: 'friendly' };
    const { api, id, path } = await enhanced(status(404), wishes);
    expect(await read(api, path)).toMatchObject({
      status: 'failed',
      error: { details: { reason: 'model-unknown' } },
    });
    const document = expectSuccess(await api.readDocument(id));
    expect(document).toMatchObject({ content: CONTENT, version: 1 });
  });
});

describe('The tokens of a call', () => {
  const usedBy = async (api: ApiClient) => {
    const { quotas } = expectSuccess(await api.send('GET', '/v1/usage')) as {
      quotas: { modelTokensPerDay: { used: number } };
    };
    return quotas.modelTokensPerDay.used;
  };
  const budget = () => new TokenBudget(app.app.get(Database), app.clock);
  const sweep = () => app.app.get(BackgroundTasks).runAll();
  const minutes = (count: number) => {
    app.clock.advance(count * 60_000);
  };

  it('whose process was killed are given back after ten minutes, once', async () => {
    const { api, accountId } = await app.account();
    await budget().reserve(accountId, 1_000);
    await budget().reserve(accountId, 500);
    minutes(9);
    const underWay = await budget().reserve(accountId, 70);
    await sweep();
    expect(await usedBy(api)).toBe(1_570);
    minutes(1);
    await Promise.all([sweep(), sweep()]);
    await sweep();
    expect(await usedBy(api)).toBe(70);
    await underWay.settle(30);
    expect(await usedBy(api)).toBe(30);
  });

  it('that ends after its reservation are counted as used, on the day on which it began', async () => {
    const { api, accountId } = await app.account();
    const slow = await budget().reserve(accountId, 1_000);
    minutes(10);
    await sweep();
    expect(await usedBy(api)).toBe(0);
    await slow.settle(340);
    expect(await usedBy(api)).toBe(340);
    const overnight = await budget().reserve(accountId, 1_000);
    minutes(24 * 60);
    await sweep();
    await overnight.settle(100);
    expect(await usedBy(api)).toBe(0);
  });
});
