import type { AccountsService } from '../../features/access/auth/accounts/accounts.service.js';
import type { OperatorAccounts } from '../../features/people/members/operator-accounts.js';
import type { WebhooksRepository } from '../../features/webhooks/webhooks.repository.js';
import type { KeyInventory } from '../../features/keys/key-inventory.js';
import type { KeysService } from '../../features/keys/keys.service.js';
import type { OperatorUsers } from '../../features/people/sessions/operator-users.js';
import type { UnverifiedUsers } from '../../features/people/sessions/unverified-users.js';
import type { AccountPlans } from '../../features/usage/account-plans.js';
import { settings } from './settings.js';

/** What commands work with. */
export interface Services {
  accounts: AccountsService;
  plans: AccountPlans;
  keys: KeysService;
  inventory: KeyInventory;
  people: OperatorUsers;
  operator: OperatorAccounts;
  unverified: UnverifiedUsers;
  webhooks: WebhooksRepository;
}

/**
 * Builds the services on the configured database. Everything heavy is loaded here, when a command has been understood:
 * help and usage errors answer at once.
 */
export async function withServices<Result>(
  work: (services: Services) => Promise<Result>,
): Promise<Result> {
  const read = settings();
  const [
    session,
    { Database },
    { Clock },
    { AccountsService },
    { KeysService },
    { KeyInventory },
    { Quotas },
    { AccountPlans },
    { OneTimeLinks },
    { OperatorUsers },
    { OperatorAccounts },
    { AccountMembers },
    { SessionsService },
    { UnverifiedUsers },
    { WebhooksRepository },
    { createLog },
  ] = await Promise.all([
    import('./database-session.js'),
    import('../../platform/database/database.js'),
    import('../../platform/basics/clock/clock.js'),
    import('../../features/access/auth/accounts/accounts.service.js'),
    import('../../features/keys/keys.service.js'),
    import('../../features/keys/key-inventory.js'),
    import('../../features/usage/quotas.js'),
    import('../../features/usage/account-plans.js'),
    import('../../features/people/sessions/one-time-links.js'),
    import('../../features/people/sessions/operator-users.js'),
    import('../../features/people/members/operator-accounts.js'),
    import('../../features/people/members/account-members.js'),
    import('../../features/people/sessions/sessions.service.js'),
    import('../../features/people/sessions/unverified-users.js'),
    import('../../features/webhooks/webhooks.repository.js'),
    import('../../platform/operation/log/log.js'),
  ]);
  return session.withDatabase(read, async (dataSource) => {
    await session.requireSchema(dataSource, read.dataDir);
    const database = new Database(dataSource);
    const clock = new Clock();
    const accounts = new AccountsService(database, clock);
    const links = new OneTimeLinks(database, clock);
    const keys = new KeysService(database, new Quotas(database, clock), clock);
    const sessions = new SessionsService(database, clock, createLog('silent'));
    const people = new AccountMembers(database, keys, sessions, links, clock);
    const unverified = new UnverifiedUsers(database, keys, sessions, links, clock);
    return work({
      accounts,
      plans: new AccountPlans(database, accounts, clock),
      keys,
      inventory: new KeyInventory(database),
      people: new OperatorUsers(database, links, unverified),
      operator: new OperatorAccounts(database, accounts, people, unverified, clock),
      unverified,
      webhooks: new WebhooksRepository(database),
    });
  });
}
