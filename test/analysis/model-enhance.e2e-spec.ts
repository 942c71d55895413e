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
