import { startTestApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('reading a document', () => {
  it('reading a document returns 304 without a body while the client has the current version', async () => {
    const { api } = await app.account();
    const { id } = (await api.createDocument({ title: 'Cached' })).body.data as { id: string };
    for (const tag of ['"1"', 'W/"1"', '*', '"7", "1"']) {
      const unchanged = await api.readDocument(id, { 'if-none-match': tag });
      expect(unchanged.status).toBe(304);
      expect(unchanged.text).toBe('');
      expect(unchanged.headers['etag']).toBe('"1"');
    }
    expect((await api.readDocument(id, { 'if-none-match': '"2"' })).status).toBe(200);
  });

  it('reading a document returns to each of many concurrent callers its own document', async () => {
    const accounts = await Promise.all([app.account(), app.account()]);
    const made = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const owner = accounts[index % 2];
        if (!owner) throw new Error('two accounts were made');
        const created = await owner.api.createDocument({ title: `Document ${String(index)}` });
        return {
          owner,
          id: (created.body.data as { id: string }).id,
          title: `Document ${String(index)}`,
        };
      }),
    );
    await Promise.all(
      made.map(async ({ owner, id, title }) => {
        const read = await owner.api.readDocument(id);
        expect(read.body.data).toMatchObject({ id, title });
        const other = accounts.find((account) => account !== owner);
        expect((await other?.api.readDocument(id))?.status).toBe(404);
      }),
    );
  });
});
