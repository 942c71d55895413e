import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { SCHEMA } from '../../../tables.js';
import { dataSourceOptions } from '../../../platform/database/pools.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Database } from '../../../platform/database/database.js';
import { TransactionalDataSource } from '../../../platform/database/transactional-data-source.js';
import { hashApiKey } from '../api-keys/api-key.js';
import { ApiKeysRepository } from '../api-keys/api-keys.repository.js';
import { createLog } from '../../../platform/operation/log.js';
import { AccountsRepository, ensureFirstAccount } from './accounts.repository.js';

let database: TestDatabase;
let replicas: TransactionalDataSource[];
beforeEach(async () => {
  database = await createTestDatabase();
  replicas = await Promise.all(
    Array.from({ length: 4 }, () =>
      new TransactionalDataSource(dataSourceOptions(database.url, 2, SCHEMA)).initialize(),
    ),
  );
});
afterEach(async () => {
  await Promise.all(replicas.map((replica) => replica.destroy()));
  await database.drop();
});

const boot = () => Promise.all(replicas.map((replica) => ensureFirstAccount(replica)));
const services = () => new Database(replicas[0] as TransactionalDataSource);
const accountRepository = () =>
  AccountsRepository.withoutNest(replicas[0] as TransactionalDataSource, services(), new Clock());

describe('the first account', () => {
  it('is created once, with one key for all scopes, even if many replicas start at once', async () => {
    const keys = (await boot()).filter((key) => key !== undefined);
    expect(keys).toHaveLength(1);
    expect(await accountRepository().list()).toHaveLength(1);
    const known = await new ApiKeysRepository(services(), new Clock(), createLog('silent')).find(
      hashApiKey(keys[0] ?? ''),
    );
    expect(known?.principal).toMatchObject({ scopes: ['*'], plan: 'pro' });
  });

  it('does not return another key on a later start', async () => {
    await boot();
    expect(await boot()).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('is not created if an account already exists', async () => {
    const accounts = accountRepository();
    await accounts.findOrCreateByEmail({ email: 'ada@example.com', name: 'Ada', plan: 'free' });
    expect(await boot()).toEqual([undefined, undefined, undefined, undefined]);
    expect(await accounts.list()).toHaveLength(1);
  });
});
