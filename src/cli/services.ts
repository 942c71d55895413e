import type { AccountsService } from '../auth/accounts/accounts.service.js';
import type { OperatorAccounts } from '../members/operator-accounts.js';
import type { WebhookInventory } from '../webhooks/webhook-inventory.js';
import type { KeyInventory } from '../keys/key-inventory.js';
import type { KeysService } from '../keys/keys.service.js';
import type { OperatorUsers } from '../sessions/operator-users.js';
import type { UnverifiedUsers } from '../sessions/unverified-users.js';
import type { AccountPlans } from '../usage/account-plans.js';
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
  webhooks: WebhookInventory;
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
    { WebhookInventory },
    { createLog },
  ] = await Promise.all([
    import('./database-session.js'),
    import('../database/database.js'),
    import('../clock/clock.js'),
    import('../auth/accounts/accounts.service.js'),
    import('../keys/keys.service.js'),
    import('../keys/key-inventory.js'),
    import('../usage/quotas.js'),
    import('../usage/account-plans.js'),
    import('../sessions/one-time-links.js'),
    import('../sessions/operator-users.js'),
    import('../members/operator-accounts.js'),
    import('../members/account-members.js'),
    import('../sessions/sessions.service.js'),
    import('../sessions/unverified-users.js'),
    import('../webhooks/webhook-inventory.js'),
    import('../log/log.js'),
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
      webhooks: new WebhookInventory(database),
    });
  });
}
