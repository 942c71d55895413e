import { SEARCH_PROVIDER, type SearchProvider } from '../../src/features/search/search-provider.js';
import { insertRows, updateIndex } from '../documents/document-rows.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { searchProviderConformance } from './provider-conformance.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

searchProviderConformance('search in PostgreSQL', async (documentsOf) => {
  const { accountId, user } = await app.account();
  const documents = documentsOf(user.id);
  await insertRows(app.dataSource, accountId, documents);
  await updateIndex(app);
  return { provider: app.app.get<SearchProvider>(SEARCH_PROVIDER), accountId, documents };
});
