import { startTestApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const WARNING = {
  field: 'aiSettings.suggestionLevel',
  issue: '"extreme" is unknown, so analyses use medium; known levels are low, medium, high',
};

describe('An unknown suggestionLevel in aiSettings', () => {
  it('An unknown suggestionLevel in aiSettings is stored with a warning on every route that takes it', async () => {
    const { api } = await app.account();
    const send = async (method: string, path: string, body: object) => {
      const response = await api.send(method, path, { body });
      expect(response.status).toBeLessThan(300);
      return response;
    };
    const aiSettings = { suggestionLevel: 'extreme' };
    const created = await send('POST', '/v1/documents', { title: 'A', aiSettings });
    const { id } = created.body.data as { id: string };
    expect(created.body.data).toMatchObject({ aiSettings });
    const whole = { title: 'A', content: '', aiSettings };
    const template = await send('POST', '/v1/templates', { name: 'T', aiSettings });
    const { id: templateId } = template.body.data as { id: string };
    const responses = [
      created,
      template,
      await send('PATCH', `/v1/documents/${id}`, { aiSettings: { autoEnhance: false } }),
      await send('PUT', `/v1/documents/${id}`, whole),
      await send('PUT', '/v1/documents/by-external-id/crm%2F1', whole),
      await send('POST', `/v1/documents/${id}/copy`, { title: 'Copy' }),
      await send('POST', '/v1/documents', { title: 'From it', templateId }),
      await send('PATCH', `/v1/templates/${templateId}`, { name: 'U' }),
    ];
    expect(responses.map(({ body }) => body.meta.warnings as unknown)).toEqual(
      responses.map(() => [WARNING]),
    );
    const corrected = await send('PATCH', `/v1/documents/${id}`, {
      aiSettings: { suggestionLevel: 'low' },
    });
    expect(corrected.body.meta).not.toHaveProperty('warnings');
  });

  it('An unknown suggestionLevel in aiSettings is reported by operation in a batch', async () => {
    const { api } = await app.account();
    const document = { title: 'A', aiSettings: { suggestionLevel: 'extreme' } };
    const operations = [
      { op: 'create', document },
      { op: 'create', document: { title: 'B', aiSettings: { suggestionLevel: 'balanced' } } },
      { op: 'upsert', externalId: 'crm/1', document },
    ];
    const { body } = await api.batchDocuments({ operations });
    const { results } = body.data as { results: { warnings?: object[] }[] };
    expect(results.map(({ warnings }) => warnings)).toEqual([[WARNING], undefined, [WARNING]]);
  });
});
