import { AnalysisProviders } from '../../src/features/analysis/providers/analysis-providers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { itConforms } from './provider-conformance.js';

describe('The offline provider', () => {
  let app: TestApp;
  let accountId: string;
  beforeAll(async () => {
    app = await startTestApp();
    ({ accountId } = await app.account());
  });
  afterAll(() => app.close());

  itConforms(() => ({ provider: app.app.get(AnalysisProviders).get('offline'), accountId }));
});
