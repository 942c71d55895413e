import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { exportedArchive, importedArchive } from '../support/jobs.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'all', LOG_LEVEL: 'warn' } });
});
afterAll(() => app.close());

describe('an archive', () => {
  it('smoke', async () => {
    const a = await app.account();
    const b = await app.account();
    const doc = expectSuccess(
      await a.api.createDocument({ title: 'x', content: 'hello world' }),
      201,
    ) as { id: string };
    await a.api.patchDocument(doc.id, { content: 'hello there' });
    const archive = await exportedArchive(a.api);
    console.log(archive);
    console.log(JSON.stringify(await importedArchive(b.api, archive)));
    console.log((await b.api.listDocuments()).text);
  });
});
