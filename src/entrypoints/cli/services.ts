import type { AccountRepository } from '../../features/auth/accounts/accounts.repository.js';
import type { OperatorAccounts } from '../../features/people/members/operator-accounts.js';
import type { WebhooksRepository } from '../../features/webhooks/webhooks.repository.js';
import type { KeyRepository } from '../../features/keys/key.repository.js';
import type { KeysService } from '../../features/keys/keys.service.js';
import type { OperatorUsers } from '../../features/people/sessions/users/operator-users.js';
import type { UnverifiedUsers } from '../../features/people/sessions/users/unverified-users.js';
import type { AccountPlans } from '../../features/usage/quotas/account-plans.js';
import { settings } from './settings.js';

/** The services that commands use. */
export interface Services {
  accounts: AccountRepository;
  plans: AccountPlans;
  keys: KeysService;
  inventory: KeyRepository;
  people: OperatorUsers;
  operator: OperatorAccounts;
  unverified: UnverifiedUsers;
  webhooks: WebhooksRepository;
}

/**
 * Creates the services on the configured database. Loads everything heavy only here, so that help and usage errors appear
 * immediately.
 */
export async function withServices<Result>(
  work: (services: Services) => Promise<Result>,
): Promise<Result> {
  const read = settings();
  const [session, { createServices }] = await Promise.all([
    import('./database-session.js'),
    import('./create-services.js'),
  ]);
  return session.withDatabase(read, async (dataSource) => {
    await session.requireSchema(dataSource, read.dataDir);
    return work(createServices(dataSource));
  });
}
