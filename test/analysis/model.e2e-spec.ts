import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { edits, FakeModel, status } from '../support/fake-model.js';
import { endOf } from '../support/jobs.js';

interface ShownAnalysis {
  engine: { name: string };
  issues: { start: number; end: number; original: string }[];
}

const PATH = '/v1/analysis-settings';

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

describe('The settings of analysis', () => {
  it('are offline and ten points until somebody changes them', async () => {
    const { api } = await app.account({ scopes: ['documents:analyze'] });
    expect(expectSuccess(await api.send('GET', PATH))).toEqual({
      provider: 'offline',
      qualityDrop: 10,
      model: 'fake-1',
      updatedAt: null,
    });
  });

  it('are changed field by field, with an audit entry for each change and none for no change', async () => {
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
      { analysis: { provider: 'model', qualityDrop: null } },
      { analysis: { provider: 'model', qualityDrop: 10 } },
    ]);
  });

  it('are changed by keys with all scopes only: a model is sent every text', async () => {
    const { api } = await app.account({ scopes: ['documents:analyze', 'documents:write'] });
    expectFailure(await api.send('PATCH', PATH, { body: { provider: 'model' } }), 403, 'FORBIDDEN');
  });

  it.each([
    [{ provider: 'cloud' }, 'provider: must be offline or model'],
    [{ qualityDrop: 101 }, 'qualityDrop: must not be more than 100'],
    [{ qualityDrop: '5' }, 'qualityDrop: must be a number, or null'],
  ])('refuse %j', async (body, message) => {
    const { api } = await app.account();
    const refused = await api.send('PATCH', PATH, { body });
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.message).toBe(message);
  });

  it('refuse a model where the operator has none', async () => {
    const without = await startTestApp();
    try {
      const { api } = await without.account();
      const refused = await api.send('PATCH', PATH, { body: { provider: 'model' } });
      expect(refused.text).toContain('the operator of this service configured none');
      expectFailure(refused, 400, 'INVALID_REQUEST');
    } finally {
      await without.close();
    }
  });
});

describe('A document of an account that chose the model', () => {
  const content = 'He go to school every day. The weather is fine.';

  async function analysed(behaviour: Parameters<FakeModel['behave']>[0]) {
    const { api } = await app.account();
    expectSuccess(await api.send('PATCH', PATH, { body: { provider: 'model' } }));
    const { id } = expectSuccess(await api.createDocument({ title: 'x', content }), 201) as {
      id: string;
    };
    model.behave(behaviour);
    return { api, id, answer: await api.send('POST', `/v1/documents/${id}/analyze`, { body: {} }) };
  }

  it('has findings of the rules and of the model, and is analysed anew when the provider changes', async () => {
    const reason = 'The verb agrees with he.';
    const made = await analysed(edits({ find: 'go to', replace: 'walks to', reason }));
    const { api, id } = made;
    if (made.answer.status === 202) await endOf(api, made.answer);
    const read = await api.send('GET', `/v1/documents/${id}/analyses`);
    const [analysis] = expectSuccess(read) as ShownAnalysis[];
    expect(analysis?.engine.name).toBe('model:fake-1');
    const issues = analysis?.issues ?? [];
    for (const { start, end, original } of issues) expect(content.slice(start, end)).toBe(original);
    expect(issues.length).toBeGreaterThan(0);
    expectSuccess(await api.send('PATCH', PATH, { body: { provider: 'offline' } }));
    const again = await api.send('POST', `/v1/documents/${id}/analyze`, { body: {} });
    if (again.status === 202) await endOf(api, again);
    const both = expectSuccess(await api.send('GET', `/v1/documents/${id}/analyses`));
    expect((both as ShownAnalysis[]).map(({ engine }) => engine.name)).toEqual([
      'offline',
      'model:fake-1',
    ]);
  });

  it('stays as it is when the model fails, and the job says why', async () => {
    const { api, id, answer } = await analysed(status(401));
    const job = await endOf(api, answer);
    expect(job).toMatchObject({
      status: 'failed',
      error: {
        code: 'INTERNAL_ERROR',
        message: expect.stringMatching(/answered 401: .*AI_API_KEY/) as string,
        details: { reason: 'key-refused', provider: 'model' },
      },
    });
    const document = expectSuccess(await api.readDocument(id)) as any;
    expect(document).toMatchObject({ content, version: 1 });
  });
});
