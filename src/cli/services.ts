import type { AccountsService } from '../auth/accounts/accounts.service.js';
import type { KeyInventory } from '../keys/key-inventory.js';
import type { KeysService } from '../keys/keys.service.js';
import type { OperatorUsers } from '../sessions/operator-users.js';
import type { AccountPlans } from '../usage/account-plans.js';
import type { CliSettings } from './settings.js';

/** What commands work with. */
interface Services {
  accounts: AccountsService;
  plans: AccountPlans;
  keys: KeysService;
  inventory: KeyInventory;
  people: OperatorUsers;
}

export type WithServices = <Result>(
  work: (services: Services) => Promise<Result>,
) => Promise<Result>;

/**
 * Builds the services on the configured database. Everything heavy is loaded here, when a command has been understood:
 * help and usage errors answer at once.
 */
export function servicesOn(settings: () => CliSettings): WithServices {
  return async (work) => {
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
    ]);
    return session.withDatabase(read, async (dataSource) => {
      await session.requireSchema(dataSource, read.dataDir);
      const database = new Database(dataSource);
      const clock = new Clock();
      const accounts = new AccountsService(database, clock);
      return work({
        accounts,
        plans: new AccountPlans(database, accounts, clock),
        keys: new KeysService(database, new Quotas(database, clock), clock),
        inventory: new KeyInventory(database),
        people: new OperatorUsers(database, new OneTimeLinks(database, clock)),
      });
    });
  };
}
