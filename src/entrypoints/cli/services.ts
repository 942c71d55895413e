import type { AccountRepository } from '../../features/auth/accounts/accounts.repository.js';
import type { OperatorAccounts } from '../../features/people/members/operator-accounts.js';
import type { WebhooksRepository } from '../../features/webhooks/webhooks.repository.js';
import type { KeyInventory } from '../../features/keys/key.repository.js';
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
  inventory: KeyInventory;
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
  const [
    session,
    { Database },
    { Clock },
    { AccountRepository },
    { KeysService },
    { KeyInventory },
    { Quotas },
    { AccountPlans },
    { OneTimeLinkRepository },
    { OperatorUsers },
    { OperatorAccounts },
    { AccountMembersService },
    { SessionRepository },
    { UnverifiedUsers },
    { WebhooksRepository },
    { createLog },
  ] = await Promise.all([
    import('./database-session.js'),
    import('../../platform/database/database.js'),
    import('../../platform/basics/clock/clock.js'),
    import('../../features/auth/accounts/accounts.repository.js'),
    import('../../features/keys/keys.service.js'),
    import('../../features/keys/key.repository.js'),
    import('../../features/usage/quotas/quotas.js'),
    import('../../features/usage/quotas/account-plans.js'),
    import('../../features/people/sessions/links/one-time-links.repository.js'),
    import('../../features/people/sessions/users/operator-users.js'),
    import('../../features/people/members/operator-accounts.js'),
    import('../../features/people/members/account-members.service.js'),
    import('../../features/people/sessions/session/sessions.repository.js'),
    import('../../features/people/sessions/users/unverified-users.js'),
    import('../../features/webhooks/webhooks.repository.js'),
    import('../../platform/operation/log.js'),
  ]);
  return session.withDatabase(read, async (dataSource) => {
    await session.requireSchema(dataSource, read.dataDir);
    const database = new Database(dataSource);
    const clock = new Clock();
    const accounts = new AccountRepository(database, clock);
    const links = new OneTimeLinkRepository(database, clock);
    const keys = new KeysService(database, new Quotas(database, clock), clock);
    const sessions = new SessionRepository(database, clock, createLog('silent'));
    const people = new AccountMembersService(database, keys, sessions, links, clock);
    const unverified = new UnverifiedUsers(database, keys, sessions, links, clock);
    return work({
      accounts,
      plans: new AccountPlans(database, accounts, clock),
      keys,
      inventory: new KeyInventory(database),
      people: new OperatorUsers(database, links, unverified, clock),
      operator: new OperatorAccounts(database, accounts, people, unverified, clock),
      unverified,
      webhooks: new WebhooksRepository(database),
    });
  });
}
