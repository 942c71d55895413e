import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

async function created(api: ApiClient, body: object): Promise<{ id: string }> {
  return expectSuccess(await api.createDocument(body), 201) as { id: string };
}

describe('If-Match', () => {
  it('If-Match accepts exactly one of two writers and returns the current version to the other', async () => {
    const { api } = await app.account();
    const { id } = await created(api, { title: 'Mine' });
    const write = (title: string) => api.patchDocument(id, { title }, { 'If-Match': '"1"' });
    const responses = await Promise.all([write('first'), write('second')]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412]);
    const refused = responses.find(({ status }) => status === 412);
    expect(refused?.body.error).toMatchObject({
      code: 'INVALID_REQUEST',
      details: { currentVersion: 2, currentETag: '"2"' },
    });
  });

  it('If-Match supports lists, commas inside quotes and the asterisk', async () => {
    const { api } = await app.account();
    const { id } = await created(api, { title: 'Tags' });
    const write = (tag: string, title: string) =>
      api.patchDocument(id, { title }, { 'If-Match': tag });
    expect((await write('"7", "1"', 'a')).status).toBe(200);
    expect((await write('*', 'b')).status).toBe(200);
    expect((await write('W/"9","3"', 'c')).status).toBe(200);
    expect((await write('"x,4"', 'd')).status).toBe(412);
    expect((await write('"x,y", "4"', 'd')).status).toBe(200);
  });

  it('If-Match says that a weak tag never matches', async () => {
    const { api } = await app.account();
    const { id } = await created(api, { title: 'Tags' });
    const refused = await api.patchDocument(id, { title: 'a' }, { 'If-Match': 'W/"1"' });
    expectFailure(refused, 412, 'INVALID_REQUEST');
    expect(refused.body.error.message).toMatch(/weak entity tag never matches.* such as "1"/);
    expect(refused.body.error.details).toMatchObject({ currentVersion: 1, currentETag: '"1"' });
  });

  it.each([
    ['1', '"1"'],
    ['W/1', '"1"'],
    ['"1', '"1"'],
    ['"1" "2"', '"1"'],
    ['', '"1"'],
    ['v1.2', '"v1.2"'],
  ])('If-Match says that %j is not an entity tag, and shows one', async (tag, example) => {
    const { api } = await app.account();
    const { id } = await created(api, { title: 'Tags' });
    const item = { op: 'update', id, patch: { title: 'b' }, ifMatch: tag };
    const batch = await api.batchDocuments({ operations: [item] });
    const responses = [
      await api.patchDocument(id, { title: 'a' }, { 'If-Match': tag }),
      await api.deleteDocument(id, {}, { 'If-Match': tag }),
      await api.send('POST', `/v1/documents/${id}/versions/1/restore`, {
        headers: { 'If-Match': tag },
      }),
    ];
    for (const response of responses) expectFailure(response, 412, 'INVALID_REQUEST');
    expect(batch.body.data.results).toMatchObject([{ status: 412 }]);
    const errors = responses.map(({ body }) => body.error as object);
    errors.push(batch.body.data.results[0].error as object);
    for (const error of errors) {
      expect(error).toMatchObject({
        message: expect.stringContaining(`double quotes, such as ${example};`) as string,
        details: { field: 'If-Match', issue: 'is not an entity tag', currentVersion: 1 },
      });
    }
    expect((await api.readDocument(id)).body.data).toMatchObject({ title: 'Tags', version: 1 });
  });
});

describe('If-None-Match of a change', () => {
  it.each([
    ['PATCH', '', { title: 'Mine' }],
    ['PUT', '', { title: 'Mine' }],
    ['DELETE', '', undefined],
    ['POST', '/edits', { edits: [{ op: 'append', text: ' Mine' }] }],
    ['POST', '/versions/1/restore', undefined],
  ])(
    'If-None-Match of a change prevents %s%s from changing the existing document',
    async (method, path, body) => {
      const { api } = await app.account();
      const { id } = await created(api, { title: 'Theirs', content: 'kept' });
      await api.patchDocument(id, { title: 'Theirs too' });
      const change = (tag: string) =>
        api.send(method, `/v1/documents/${id}${path}`, { body, headers: { 'If-None-Match': tag } });
      for (const tag of ['*', '"2"', 'W/"2"', '"1", "2"', '2']) {
        const refused = await change(tag);
        expectFailure(refused, 412, 'INVALID_REQUEST');
        const { details } = refused.body.error;
        expect(details).toMatchObject({ field: 'If-None-Match', currentVersion: 2 });
      }
      expect(expectSuccess(await api.readDocument(id))).toMatchObject({
        title: 'Theirs too',
        version: 2,
      });
      expectSuccess(await change('"1"'));
    },
  );

  it('If-None-Match of a change and If-Match protect a document in the trash', async () => {
    const { api } = await app.account();
    const { id } = await created(api, { title: 'T' });
    await api.deleteDocument(id);
    const restore = (headers: Record<string, string>) =>
      api.send('POST', `/v1/documents/${id}/restore`, { headers });
    expectFailure(await restore({ 'If-None-Match': '*' }), 412, 'INVALID_REQUEST');
    expectFailure(await restore({ 'If-Match': '"2"' }), 412, 'INVALID_REQUEST');
    expectSuccess(await restore({ 'If-Match': '"1"', 'If-None-Match': '"2"' }));
  });
});
