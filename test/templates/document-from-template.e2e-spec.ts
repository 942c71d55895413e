import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';

interface Problem {
  field: string;
  issue: string;
}

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const TEMPLATE = {
  name: 'Letter',
  type: 'article',
  title: 'To {{client}}',
  content: 'Dear {{client}}, {{greeting}}. {{note}}',
  variables: [
    { name: 'client', required: true },
    { name: 'greeting', default: 'hello' },
    { name: 'note' },
  ],
  metadata: { tags: ['letter', '{{client}}'], n: 1 },
  aiSettings: { language: 'en' },
};

async function made(body: object = TEMPLATE) {
  const account = await app.account();
  const { id } = expectSuccess(await account.api.createTemplate(body), 201) as { id: string };
  return { ...account, templateId: id };
}

async function refusal(api: ApiClient, body: object): Promise<Problem[]> {
  const refused = await api.createDocument(body);
  expectFailure(refused, 400, 'INVALID_REQUEST');
  return refused.body.error.details.problems as Problem[];
}

describe('a document created from a template', () => {
  it('a document created from a template uses the template for whatever the body omits, including the title, with the variables filled', async () => {
    const { api, templateId } = await made();
    const response = await api.createDocument({
      templateId,
      templateVariables: { client: 'Ada {{note}}', note: '' },
    });
    const document = expectSuccess(response, 201) as { id: string };
    expect(document).toMatchObject({
      title: 'To Ada {{note}}',
      type: 'article',
      content: 'Dear Ada {{note}}, hello. ',
      metadata: { tags: ['letter', 'Ada {{note}}'], n: 1 },
      aiSettings: { language: 'en' },
      templateId,
      wordCount: 4,
      status: 'draft',
      version: 1,
    });
    expect(response.body.meta.warnings).toBeUndefined();
    const read = await api.readDocument(document.id);
    expect(read.body.data).toEqual(document);
    expect((await api.listDocuments()).body.data[0]).toMatchObject({ templateId });
    const [{ id }] = (await api.listEvents()).body.data as [{ id: string }];
    expect((await api.readEvent(id)).body.data).toMatchObject({ data: { document } });
  });

  it('a document created from a template uses the fields that the body sends, complete and unchanged', async () => {
    const { api, templateId } = await made();
    const own = {
      title: 'Mine {{client}}',
      type: 'report',
      content: '',
      metadata: { own: '{{client}}' },
      aiSettings: {},
    };
    const templateVariables = { client: 'Ada', note: 'x' };
    const response = await api.createDocument({ ...own, templateId, templateVariables });
    expect(expectSuccess(response, 201)).toMatchObject({ ...own, templateId });
    expect((response.body.meta.warnings as Problem[]).map(({ field }) => field)).toEqual([
      'templateVariables.client',
      'templateVariables.note',
    ]);
  });

  it('a document created from a template warns about optional variables that are empty', async () => {
    const { api, templateId } = await made();
    const response = await api.createDocument({ templateId, templateVariables: { client: 'Ada' } });
    expect(expectSuccess(response, 201)).toMatchObject({ content: 'Dear Ada, hello. ' });
    expect(response.body.meta.warnings).toEqual([
      {
        field: 'templateVariables.note',
        issue: 'has no value and no default, so its placeholders are empty',
      },
    ]);
  });

  it('a document created from a template is refused with every variable that is missing or unknown, and nothing is written', async () => {
    const { api, templateId } = await made({
      ...TEMPLATE,
      variables: [
        { name: 'client', required: true },
        { name: 'date', required: true },
      ],
    });
    const templateVariables = { cilent: 'Ada', date: null };
    expect(await refusal(api, { templateId, templateVariables })).toEqual([
      {
        field: 'templateVariables.cilent',
        issue: "is not a variable of the template; did you mean 'client'?",
      },
      { field: 'templateVariables.client', issue: 'required variable missing' },
      { field: 'templateVariables.date', issue: 'required variable missing' },
    ]);
    expect((await api.listDocuments()).body.meta.pagination.total).toBe(0);
    expect((await api.listEvents()).body.meta.pagination.total).toBe(0);
  });

  it('a document created from a template needs a valid title from one of them', async () => {
    const { api, templateId } = await made({ name: 'n', content: 'x' });
    const [problem] = await refusal(api, { templateId });
    expect(problem?.field).toBe('title');
    expect(problem?.issue).toMatch(/^required field missing/);
    expectSuccess(await api.createDocument({ templateId, title: 'Mine' }), 201);
    const blank = await made({ name: 'n', title: ' {{a}} ' });
    expect(await refusal(blank.api, { templateId: blank.templateId })).toMatchObject([
      { field: 'title' },
    ]);
    const long = { templateId: blank.templateId, templateVariables: { a: 'x'.repeat(499) } };
    expect(await refusal(blank.api, long)).toMatchObject([{ field: 'title' }]);
    expect(await refusal(blank.api, { templateId, title: '' })).toMatchObject([{ field: 'title' }]);
    expect(await refusal(blank.api, { templateId, title: null })).toMatchObject([
      { field: 'title' },
    ]);
  });

  it('a document created from a template is refused in the same way if the template is unknown, deleted or in another account', async () => {
    const { api, templateId } = await made({ name: 'n', title: 't' });
    expectSuccess(await api.createDocument({ templateId }), 201);
    expectSuccess(await api.deleteTemplate(templateId));
    const { templateId: foreign } = await made();
    for (const one of [templateId, foreign, 'tmpl_01h455vb4pex5vsknk084sn02q', 'tmpl_x', '']) {
      expect(await refusal(api, { templateId: one, title: 'x' })).toEqual([
        { field: 'templateId', issue: 'is not a template of this account' },
      ]);
    }
    const [document] = (await api.listDocuments()).body.data as [object];
    expect(document).toMatchObject({ templateId });
    expect(await refusal(api, { templateId: 7, title: 'x' })).toMatchObject([
      { field: 'templateId' },
    ]);
  });

  it('a document created from a template cannot have template variables without a template', async () => {
    const { api } = await app.account();
    const fields = (problems: Problem[]) => problems.map(({ field }) => field);
    expect(fields(await refusal(api, { templateVariables: { a: 'b' } }))).toEqual([
      'title',
      'templateVariables',
    ]);
    expect(
      fields(await refusal(api, { title: 't', templateId: null, templateVariables: {} })),
    ).toEqual(['templateVariables']);
    const none = { title: 't', templateId: null, templateVariables: null };
    expectSuccess(await api.createDocument(none), 201);
    expect(fields(await refusal(api, { title: 't', templateVariable: {} }))).toEqual([
      'templateVariable',
    ]);
  });

  it('a document created from a template is created once with an Idempotency-Key, even if the template changes in the meantime', async () => {
    const { api, templateId } = await made();
    const body = { templateId, templateVariables: { client: 'Ada' } };
    const create = () => api.createDocument(body, { 'Idempotency-Key': 'k' });
    const first = await create();
    expectSuccess(await api.patchTemplate(templateId, { title: 'Other' }));
    const again = await create();
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body.data).toEqual(first.body.data);
    expect(again.body.meta.warnings).toEqual(first.body.meta.warnings);
  });

  it('a document created from a template does not change when the template changes or is deleted', async () => {
    const { api, templateId } = await made();
    const created = await api.createDocument({ templateId, templateVariables: { client: 'Ada' } });
    await api.replaceTemplate(templateId, { name: 'Other' });
    await api.deleteTemplate(templateId);
    const { id } = created.body.data as { id: string };
    expect((await api.readDocument(id)).body.data).toEqual(created.body.data);
    const replaced = await api.send('PUT', `/v1/documents/${id}`, { body: { templateId } });
    expectFailure(replaced, 400, 'INVALID_REQUEST');
    expect(replaced.body.error.details.field).toBe('title');
  });

  it("a document created from a template preserves the spelling of metadata, and a batch returns the template's warnings", async () => {
    const { api, accountId } = await app.account();
    const metadata = '{ "b":1.0, "1":"{{a}}" , "c":"\\u0041"}';
    const made = await api.send('POST', '/v1/templates', {
      rawBody: `{"name":"n","title":"t","metadata":${metadata}}`,
    });
    const { id: templateId } = made.body.data as { id: string };
    const response = await api.createDocument({ templateId, templateVariables: { a: 'ü"' } });
    expect(response.text).toContain('"metadata":{ "b":1.0, "1":"ü\\"" , "c":"\\u0041"},');
    const batch = await api.send('POST', '/v1/documents/batch', {
      rawBody: `{"operations":[
        {"op":"create","document":{"templateId":"${templateId}"}},
        {"op":"create","document":{"templateId":"${templateId}","templateVariables":{"a":1.0}}},
        {"op":"create","document":{"templateId":"${templateId}","templateVariables":{"b":1}}}]}`,
    });
    const { results } = expectSuccess(batch) as {
      results: { status: number; warnings?: Problem[] }[];
    };
    expect(results.map(({ status }) => status)).toEqual([201, 201, 400]);
    expect(results.map(({ warnings }) => warnings?.[0]?.field)).toEqual([
      'templateVariables.a',
      undefined,
      undefined,
    ]);
    expect(batch.text).toContain('"1":"1.0"');
    expect(accountId).toBeDefined();
  });
});
