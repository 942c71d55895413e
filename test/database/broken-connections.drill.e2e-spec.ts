import { DataSource } from 'typeorm';
import { Database, type Statement } from '../../src/platform/database/database.js';
import { SCHEMA } from '../../src/tables.js';
import { dataSourceOptions } from '../../src/platform/database/pools.js';
import { asUnavailable } from '../../src/platform/basics/errors/database-error.js';
import { FatalProxy } from '../support/fatal-proxy.js';
import { openTestDatabase } from '../support/postgres.js';

const POOL_SIZE = 2;
const CALLERS = 6;
const ONE: Statement = { name: 'test.one', text: 'SELECT 1 AS one' };

let test: Awaited<ReturnType<typeof openTestDatabase>>;
let proxy: FatalProxy;
let dataSource: DataSource;
let database: Database;
beforeAll(async () => {
  test = await openTestDatabase();
  proxy = await new FatalProxy(test.url).start();
  dataSource = await new DataSource(dataSourceOptions(proxy.url, POOL_SIZE, SCHEMA)).initialize();
  database = new Database(dataSource);
});
afterAll(async () => {
  await dataSource.destroy();
  proxy.close();
  await test.drop();
});

/** Every way that the service uses a connection. */
const USES: Readonly<Record<string, () => Promise<unknown>>> = {
  statement: () => database.run(ONE, []),
  transaction: () => database.transaction(() => database.run(ONE, [])),
  "statement of TypeORM's": () => dataSource.query(ONE.text),
  "transaction of TypeORM's": () =>
    dataSource.transaction((manager) => manager.query<unknown>(ONE.text)),
};

describe('A connection that PostgreSQL ends at the moment of a response', () => {
  it.each(Object.entries(USES))(
    'never ends the process, twenty times in a row: a %s succeeds or is unavailable while others wait',
    async (_, use) => {
      for (let time = 0; time < 20; time += 1) {
        proxy.shutDownAfterResponse();
        const outcomes = await Promise.allSettled(Array.from({ length: CALLERS }, use));
        expect(proxy.isDone).toBe(true);
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') {
            expect(asUnavailable(outcome.reason)?.kind).toBe('unavailable');
          }
        }
        await expect(use()).resolves.toBeDefined();
      }
    },
  );
});
