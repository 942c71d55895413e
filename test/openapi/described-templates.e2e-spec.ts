import type { MediaTypeObject, OpenAPIObject, RequestBodyObject } from '@nestjs/swagger';
import type { ApiClient, ApiResponse, RequestOptions } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { ApiDocument } from './api-document.js';

let app: TestApp;
let document: ApiDocument;
let api: ApiClient;
beforeAll(async () => {
  app = await startTestApp();
  const { body } = await app.api().send('GET', '/v1/openapi.json');
  document = new ApiDocument(body as OpenAPIObject);
  ({ api } = await app.account());
});
afterAll(() => app.close());

type Options = RequestOptions & { id?: string; number?: string; query?: string };

/** Sends the operation's request and holds the answer against the document. */
async function answer(operationId: string, options: Options = {}): Promise<ApiResponse> {
  const { method, path } = document.operation(operationId);
  const address = path.replace('{id}', options.id ?? '').replace('{number}', options.number ?? '1');
  const response = await api.send(method, address + (options.query ?? ''), options);
  document.expectDescribed(operationId, response);
  return response;
}

function examplesOf(operationId: string): unknown[] {
  const { content } = document.operation(operationId).requestBody as RequestBodyObject;
  const { examples = {}, example } = content['application/json'] as MediaTypeObject;
  const all = (Object.values(examples) as { value: unknown }[]).map(({ value }) => value);
  return example === undefined ? all : [...all, example];
}

async function newTemplate(body: object = { name: 'n', content: '{{client}}' }): Promise<string> {
  const { body: answered } = await answer('createTemplate', { body });
  return (answered as { data: { id: string } }).data.id;
}

describe('what the API document says of templates', () => {
  it('holds for every example of a body, and each is accepted', async () => {
    const id = await newTemplate();
    for (const [operationId, status] of [
      ['createTemplate', 201],
      ['previewTemplate', 200],
    ] as const) {
      const examples = examplesOf(operationId);
      expect(examples.length).toBeGreaterThan(1);
      for (const body of examples) {
        expect((await answer(operationId, { id, body })).status).toBe(status);
      }
    }
  });

  it('holds for templates: listed, read, unchanged, changed, replaced, deleted', async () => {
    const id = await newTemplate({ name: 'n', title: 't', variables: [{ name: 'unused' }] });
    expect((await answer('listTemplates', { query: '?limit=2&q=n&type=document' })).status).toBe(
      200,
    );
    expect((await answer('listTemplates')).body.data.length).toBeGreaterThan(5);
    expect((await answer('readTemplate', { id })).status).toBe(200);
    const headers = { 'if-none-match': '"1"' };
    expect((await answer('readTemplate', { id, headers })).status).toBe(304);
    const patched = await answer('patchTemplate', { id, body: { content: '{{x}}', title: null } });
    expect([patched.status, patched.body.meta.warnings.length]).toEqual([200, 2]);
    const stale = { id, headers: { 'if-match': '"1"' } };
    for (const operationId of ['patchTemplate', 'replaceTemplate']) {
      expect((await answer(operationId, { ...stale, body: { name: 'm' } })).status).toBe(412);
    }
    for (const operationId of ['deleteTemplate', 'restoreTemplateVersion']) {
      expect((await answer(operationId, stale)).status).toBe(412);
    }
    expect((await answer('replaceTemplate', { id, body: { name: 'm' } })).status).toBe(200);
    expect((await answer('deleteTemplate', { id })).status).toBe(200);
  });

  it('holds for versions and their restoration', async () => {
    const id = await newTemplate();
    await answer('patchTemplate', { id, body: { description: 'd' } });
    expect((await answer('listTemplateVersions', { id, query: '?limit=1' })).status).toBe(200);
    expect((await answer('readTemplateVersion', { id })).status).toBe(200);
    expect((await answer('restoreTemplateVersion', { id })).status).toBe(200);
    expect((await answer('readTemplateVersion', { id, number: '9' })).status).toBe(404);
  });

  it('holds for what is refused', async () => {
    const id = await newTemplate();
    expect((await answer('createTemplate', { body: {} })).status).toBe(400);
    expect((await answer('patchTemplate', { id, body: { name: '' } })).status).toBe(400);
    const unknown = { templateVariables: { x: 1 } };
    expect((await answer('previewTemplate', { id, body: unknown })).status).toBe(400);
    expect((await answer('listTemplates', { query: '?sort=x' })).status).toBe(400);
    for (const operationId of [
      'readTemplate',
      'deleteTemplate',
      'previewTemplate',
      'listTemplateVersions',
    ]) {
      expect((await answer(operationId, { id: 'tmpl_x', body: {} })).status).toBe(404);
    }
  });

  it('holds for a document that is made from one, with its warnings', async () => {
    const templateId = await newTemplate({ name: 'n', title: 't', content: '{{a}}{{b}}' });
    const body = { templateId, templateVariables: { a: 1 } };
    const made = await answer('createDocument', { body });
    expect([made.status, made.body.meta.warnings.length]).toEqual([201, 1]);
    expect((await answer('createDocument', { body: { templateId: 'tmpl_x' } })).status).toBe(400);
  });
});
