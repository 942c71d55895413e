import { OfflineProvider } from '../../src/analysis/providers/offline/offline-provider.js';
import { newUuid } from '../../src/identifiers/identifiers.js';
import { itConforms } from './provider-conformance.js';

describe('The offline provider', () => {
  const provider = new OfflineProvider();
  const accountId = newUuid();
  afterAll(() => provider.onApplicationShutdown());

  itConforms(() => ({ provider, accountId }));
});
