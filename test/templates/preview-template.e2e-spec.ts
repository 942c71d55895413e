import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';

const MIB = 1024 * 1024;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const TEMPLATE = {
  name: 'Letter',
  type: 'article',
  title: 'To {{client}}',
  content: 'Dear {{client}}, {{greeting}}. {{note}}\\{{client}}',
  variables: [
    { name: 'client', required: true },
    { name: 'greeting', default: 'hello' },
    { name: 'note' },
  ],
  metadata: { '{{client}}': ['{{client}}', { deep: '{{greeting}}' }], n: 1 },
  aiSettings: { language: '{{client}}' },
};

async function made(body: object = TEMPLATE) {
  const account = await app.account();
  const { id } = expectSuccess(await account.api.createTemplate(body), 201) as { id: string };
  return { ...account, id };
}

describe('previewing a template', () => {
  it('previewing a template shows the initial document, and writes nothing', async () => {
    const { api, id, accountId } = await made();
    const response = await api.previewTemplate(id, { client: '{{note}} "Ada"', note: 7 });
    expect(expectSuccess(response)).toEqual({
      title: 'To {{note}} "Ada"',
      type: 'article',
      content: 'Dear {{note}} "Ada", hello. 7{{client}}',
      metadata: { '{{client}}': ['{{note}} "Ada"', { deep: 'hello' }], n: 1 },
      aiSettings: { language: '{{client}}' },
      missing: [],
    });
    expect(response.body.meta.warnings).toBeUndefined();
    const [{ n }] = await app.dataSource.query(
      `SELECT (SELECT count(*) FROM documents WHERE account_id = $1)
            + (SELECT count(*) FROM events WHERE account_id = $1)
            + (SELECT count(*) - 1 FROM audit_log WHERE account_id = $1) AS n`,
      [accountId],
    );
    expect(Number(n)).toBe(0);
  });

  it('previewing a template warns about a title that no document could have', async () => {
    const { api, id } = await made({ name: 'n', title: '{{topic}}' });
    for (const topic of ['', ' \n']) {
      const { body } = await api.previewTemplate(id, { topic });
      const issue = 'is blank after its variables are filled; send a title';
      expect(body.meta.warnings).toEqual([{ field: 'title', issue }]);
    }
    const untitled = await made({ name: 'n', content: 'Each document brings its own title.' });
    const { body } = await untitled.api.previewTemplate(untitled.id, {});
    expect(body.meta.warnings).toBeUndefined();
  });

  it('previewing a template lists missing variables and leaves their placeholders visible, and warns about empty ones', async () => {
    const { api, id } = await made();
    for (const reply of [
      await api.send('POST', `/v1/templates/${id}/preview`),
      await api.previewTemplate(id, {}),
      await api.previewTemplate(id, null),
      await api.previewTemplate(id, { client: null }),
    ]) {
      expect(expectSuccess(reply)).toMatchObject({
        title: 'To {{client}}',
        content: 'Dear {{client}}, hello. {{client}}',
        missing: ['client'],
      });
      expect(reply.body.meta.warnings).toEqual([
        {
          field: 'templateVariables.note',
          issue: 'has no value and no default, so its placeholders are empty',
        },
      ]);
    }
  });

  it('previewing a template refuses names that the template does not have, and values that are not text', async () => {
    const { api, id } = await made();
    const unknown = await api.previewTemplate(id, { cleint: 'x', other: 'y' });
    expectFailure(unknown, 400, 'INVALID_REQUEST');
    const { problems } = unknown.body.error.details as {
      problems: { field: string; issue: string }[];
    };
    expect(problems.map(({ field }) => field)).toEqual([
      'templateVariables.cleint',
      'templateVariables.other',
    ]);
    expect(problems[0]?.issue).toContain("did you mean 'client'?");
    for (const [given, field] of [
      [{ client: ['x'] }, 'templateVariables.client'],
      [{ client: { a: 1 } }, 'templateVariables.client'],
      [['x'], 'templateVariables'],
      ['x', 'templateVariables'],
    ] as const) {
      const refused = await api.previewTemplate(id, given);
      expectFailure(refused, 400, 'INVALID_REQUEST');
      expect(refused.body.error.details.field).toBe(field);
    }
    const misspelt = await api.send('POST', `/v1/templates/${id}/preview`, {
      body: { variables: {} },
    });
    expect(misspelt.body.error.details.field).toBe('variables');
  });

  it('previewing a template inserts numbers and booleans as sent', async () => {
    const { api, id } = await made({ name: 'n', content: '{{a}}|{{b}}|{{c}}|{{__proto__}}' });
    const response = await api.send('POST', `/v1/templates/${id}/preview`, {
      rawBody:
        '{"templateVariables":{"a": 1.0 ,"b":12345678901234567890,"c":false,"__proto__":"p"}}',
    });
    expect(expectSuccess(response)).toMatchObject({
      content: '1.0|12345678901234567890|false|p',
      title: null,
    });
  });

  it('previewing a template refuses fields that become too large quickly, and names each of them', async () => {
    const content = '{{a}}'.repeat(MIB / 5);
    const { api, id } = await made({
      name: 'n',
      content,
      title: '{{a}}',
      metadata: { k: '{{a}}' },
    });
    const started = performance.now();
    const refused = await api.previewTemplate(id, { a: 'x'.repeat(MIB) });
    expect(performance.now() - started).toBeLessThan(10_000);
    expectFailure(refused, 400, 'INVALID_REQUEST');
    const { problems } = refused.body.error.details as { problems: { field: string }[] };
    expect(problems.map(({ field }) => field)).toEqual(['title', 'content', 'metadata']);
    expect(refused.text.length).toBeLessThan(2_000);
    const fits = await api.previewTemplate(id, { a: 'abcde' });
    expect((expectSuccess(fits) as { content: string }).content).toHaveLength(
      5 * Math.floor(MIB / 5),
    );
  });
});
