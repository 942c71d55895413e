import { randomBytes } from 'node:crypto';
import { request } from 'undici';
import { makeAccount } from '../support/accounts.js';
import { openTestDatabase } from '../support/postgres.js';
import { startService } from '../support/service-process.js';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.drop());

it('a shutdown writes every request with a response to the log and the totals', async () => {
  const { key } = await makeAccount(database.dataSource);
  const environment = {
    DATABASE_URL: database.url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    PROCESS_ROLE: 'api',
  };
  const replicas = await Promise.all([startService(environment), startService(environment)]);
  const ask = async (origin: string) => {
    const response = await request(`${origin}/v1/documents`, {
      headers: { authorization: `Bearer ${key}` },
    });
    await response.body.dump();
    return response.statusCode;
  };
  const statuses = await Promise.all(
    replicas.flatMap(({ origin }) => Array.from({ length: 75 }, () => ask(origin))),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(await Promise.all(replicas.map((replica) => replica.end('SIGTERM')))).toEqual([0, 0]);
  const [row] = await database.dataSource.query<object[]>(
    `SELECT (SELECT count(*)::int FROM request_log) AS logged,
              (SELECT sum(count)::int FROM usage_minutes) AS minutes,
              (SELECT sum(count)::int FROM usage_hours) AS hours`,
  );
  expect(row).toEqual({ logged: 150, minutes: 150, hours: 150 });
});
