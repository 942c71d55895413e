import { TokenBudgetService } from '../../src/features/analysis/providers/model/token-budget.service.js';
import { BackgroundTasks } from '../../src/platform/background/background-tasks.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { edits, FakeModel, says, status, type ModelBehaviour } from '../support/fake-model.js';
import { endOf } from '../support/jobs.js';

interface ShownAnalysis {
  engine: { name: string };
  issues: { ruleId: string; start: number; end: number; original: string }[];
}

const PATH = '/v1/analysis-settings';
const CONTENT = 'We utilize the tool, and it is fine.';

interface ShownEnhancement {
  status: string;
  error: { message: string; details: { reason: string } } | null;
  suggestions: {
    id: string;
    ruleId: string;
    original: string;
    replacements: { value: string }[];
  }[];
  texts: { goal: string; text: string; source: string }[];
  dropped: Record<string, number>;
  engine: { name: string };
}

/** The first analysis of a process loads the engine. */
const PATIENCE_MS = 180_000;

/** Waits for the job if the response was not immediate. */
async function done(api: ApiClient, response: ApiResponse): Promise<void> {
  if (response.status === 202) await endOf(api, response, PATIENCE_MS);
}

let app: TestApp;
let model: FakeModel;
beforeAll(async () => {
  model = await FakeModel.start();
  app = await startTestApp({
    environment: { PROCESS_ROLE: 'all', AI_BASE_URL: model.url, AI_MODEL: 'fake-1' },
  });
}, PATIENCE_MS);
afterAll(async () => {
  await app.close();
  await model.close();
});

describe('The analysis settings', () => {
  it('The analysis settings are offline and ten points until someone changes them', async () => {
    const { api } = await app.account({ scopes: ['documents:analyze'] });
    expect(expectSuccess(await api.send('GET', PATH))).toEqual({
      provider: 'offline',
      qualityDrop: 10,
      disabledRules: [],
      model: 'fake-1',
      updatedAt: null,
    });
  });

  it('The analysis settings are changed field by field, with an audit entry for each change and none for no change', async () => {
    const { api } = await app.account();
    const patched = expectSuccess(await api.send('PATCH', PATH, { body: { provider: 'model' } }));
    expect(patched).toMatchObject({ provider: 'model', qualityDrop: 10 });
    const again = await api.send('PATCH', PATH, { body: { provider: 'model' } });
    expect(expectSuccess(again)).toEqual(patched);
    const without = await api.send('PATCH', PATH, { body: { qualityDrop: null } });
    expect(expectSuccess(without)).toMatchObject({ provider: 'model', qualityDrop: null });
    const entries = expectSuccess(await api.send('GET', '/v1/audit?action=account.update')) as {
      details: unknown;
    }[];
    expect(entries.map(({ details }) => details)).toEqual([
      { analysis: { provider: 'model', qualityDrop: null, disabledRules: [] } },
      { analysis: { provider: 'model', qualityDrop: 10, disabledRules: [] } },
    ]);
  });

  it('The analysis settings are changed only by keys with all scopes, because a model receives every text', async () => {
    const { api } = await app.account({ scopes: ['documents:analyze', 'documents:write'] });
    expectFailure(await api.send('PATCH', PATH, { body: { provider: 'model' } }), 403, 'FORBIDDEN');
  });

  it.each([
    [{ provider: 'cloud' }, 'provider: must be offline or model'],
    [{ qualityDrop: 101 }, 'qualityDrop: must be a number from 0 to 100, or null'],
    [{ qualityDrop: '5' }, 'qualityDrop: must be a number from 0 to 100, or null'],
  ])('The analysis settings refuse %j', async (body, message) => {
    const { api } = await app.account();
    const refused = await api.send('PATCH', PATH, { body });
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.message).toBe(message);
  });

  it('The analysis settings refuse a model if the operator has not configured one', async () => {
    const without = await startTestApp();
    try {
      const { api } = await without.account();
      const refused = await api.send('PATCH', PATH, { body: { provider: 'model' } });
      expect(refused.text).toContain('this service has no model configured');
      expectFailure(refused, 400, 'INVALID_REQUEST');
    } finally {
      await without.close();
    }
  });
});

describe('A document of an account that chose the model', () => {
  // The engine loads its rules for Danish immediately, and those for English in seconds.
  const content = 'Han gaar i skolle hver dag. Vejret er godt.';
  const aiSettings = { language: 'Danish' };

  async function analysed(behaviour: Parameters<FakeModel['behave']>[0]) {
    const { api } = await app.account();
    expectSuccess(await api.send('PATCH', PATH, { body: { provider: 'model' } }));
    const { id } = expectSuccess(
      await api.createDocument({ title: 'x', content, aiSettings }),
      201,
    ) as {
      id: string;
    };
    model.behave(behaviour);
    return {
      api,
      id,
      response: await api.send('POST', `/v1/documents/${id}/analyze`, { body: {} }),
    };
  }

  it('A document of an account that chose the model has findings from the rules and the model, and is analyzed again when the provider changes', async () => {
    const reason = 'This is how the verb is written.';
    const made = await analysed(edits({ find: 'gaar', replace: 'går', reason }));
    const { api, id } = made;
    await done(api, made.response);
    const read = await api.send('GET', `/v1/documents/${id}/analyses`);
    const [analysis] = expectSuccess(read) as ShownAnalysis[];
    expect(analysis?.engine.name).toBe('model:fake-1');
    const issues = analysis?.issues ?? [];
    for (const { start, end, original } of issues) expect(content.slice(start, end)).toBe(original);
    expect(issues.length).toBeGreaterThan(0);
    expectSuccess(await api.send('PATCH', PATH, { body: { provider: 'offline' } }));
    const again = await api.send('POST', `/v1/documents/${id}/analyze`, { body: {} });
    await done(api, again);
    const both = expectSuccess(await api.send('GET', `/v1/documents/${id}/analyses`));
    expect((both as ShownAnalysis[]).map(({ engine }) => engine.name)).toEqual([
      'offline',
      'model:fake-1',
    ]);
  });

  it('A document of an account that chose the model has no findings of the model for rules that the account switched off', async () => {
    const behaviour = edits({ find: 'er godt', replace: 'er meget godt', reason: 'Say more.' });
    const { api, id, response } = await analysed(behaviour);
    await done(api, response);
    const modelRules = async () => {
      const read = await api.send('GET', `/v1/documents/${id}/analyses?limit=1`);
      const [newest] = expectSuccess(read) as ShownAnalysis[];
      return newest?.issues.map(({ ruleId }) => ruleId).filter((rule) => rule.startsWith('model.'));
    };
    expect(await modelRules()).toEqual(['model.grammar']);
    const body = { disabledRules: ['model.grammar'] };
    expectSuccess(await api.send('PATCH', PATH, { body }));
    model.behave(behaviour);
    await done(api, await api.send('POST', `/v1/documents/${id}/analyze`, { body: {} }));
    expect(await modelRules()).toEqual([]);
    model.behave(behaviour);
    await done(api, await api.send('POST', `/v1/documents/${id}/enhance`, { body: {} }));
    const { suggestions } = await read(api, await pathOf(api, id));
    expect(suggestions.map(({ ruleId }) => ruleId)).not.toContain('model.grammar');
  });

  it('A document of an account that chose the model stays unchanged when the model fails, and the job says why', async () => {
    const { api, id, response } = await analysed(status(401));
    const job = await endOf(api, response);
    expect(job).toMatchObject({
      status: 'failed',
      error: {
        code: 'INTERNAL_ERROR',
        message: expect.stringMatching(/responded with 401: .*AI_API_KEY/) as string,
        details: { reason: 'key-refused', provider: 'model' },
      },
    });
    const document = expectSuccess(await api.readDocument(id)) as any;
    expect(document).toMatchObject({ content, version: 1 });
  });
});

async function enhanced(behaviour: ModelBehaviour, wishes: object) {
  const { api } = await app.account();
  const body = { provider: 'model' };
  expectSuccess(await api.send('PATCH', '/v1/analysis-settings', { body }));
  const made = await api.createDocument({ title: 'x', content: CONTENT });
  const { id } = expectSuccess(made, 201) as { id: string };
  model.behave(behaviour);
  const response = await api.send('POST', `/v1/documents/${id}/enhance`, { body: wishes });
  await done(api, response);
  return { api, id, path: await pathOf(api, id) };
}

async function pathOf(api: ApiClient, id: string): Promise<string> {
  const list = expectSuccess(await api.send('GET', `/v1/documents/${id}/enhancements`));
  const [first] = list as { id: string }[];
  return `/v1/documents/${id}/enhancements/${String(first?.id)}`;
}

const read = async (api: ApiClient, path: string) =>
  expectSuccess(await api.send('GET', path)) as ShownEnhancement;

describe('An enhancement by a model', () => {
  it('An enhancement by a model proposes changes, which apply only when someone accepts them', async () => {
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

  it('An enhancement by a model shows a title next to the suggestions', async () => {
    const { api, path } = await enhanced(says('{"text": "Our tools"}'), { goals: ['title'] });
    expect((await read(api, path)).texts).toEqual([
      { goal: 'title', text: 'Our tools', source: 'model' },
    ]);
  });

  it('An enhancement by a model that fails says why, and leaves the document unchanged', async () => {
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
  const budget = () => app.app.get(TokenBudgetService, { strict: false });
  const sweep = () => app.app.get(BackgroundTasks).runAll();
  const minutes = (count: number) => {
    app.clock.advance(count * 60_000);
  };

  it('The tokens of a call whose process was killed are refunded after ten minutes, once', async () => {
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

  it('The tokens of a call that ends after its reservation expired are counted as used, on the day it started', async () => {
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
