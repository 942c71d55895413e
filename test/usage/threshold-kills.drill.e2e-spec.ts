import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@document-service/embedded-postgres/free-port';
import { makeAccount } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { drillCount } from '../support/drills.js';
import { eventually } from '../support/eventually.js';
import { openTestDatabase } from '../support/postgres.js';
import { startService, type ServiceProcess } from '../support/service-process.js';

const HOUR_LIMIT = 200;
const DAY_LIMIT = 220;
const CLIENTS = 12;
/** A limit for busy machines. A run takes about 20 seconds. */
const TEST_MS = 240_000;
const RUNS = drillCount({ small: 1, full: 5 });

const until = (isSo: () => boolean) => eventually(isSo, Boolean, TEST_MS);

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let ports: number[];
let replicas: ServiceProcess[];
const started: ServiceProcess[] = [];
const SECRETS_KEY = randomBytes(32).toString('base64');

async function start(port: number): Promise<ServiceProcess> {
  const environment = { DATABASE_URL: database.url, SECRETS_KEY, PROCESS_ROLE: 'api' };
  const process = await startService({ ...environment, PORT: String(port) });
  started.push(process);
  return process;
}

beforeAll(async () => {
  database = await openTestDatabase();
  ports = [await freePort(), await freePort(), await freePort()];
  replicas = await Promise.all(ports.map(start));
}, TEST_MS);
afterAll(async () => {
  await Promise.all(started.map((process) => process.end('SIGKILL')));
  await database.drop();
});

it(
  'usage.threshold_reached is emitted once per threshold and window while replicas are killed as the limit is reached',
  async () => {
    const { dataSource } = database;
    for (let run = 0; run < RUNS; run += 1) {
      const { accountId, key } = await makeAccount(dataSource);
      await dataSource.query('UPDATE accounts SET hour_limit = $2, day_limit = $3 WHERE id = $1', [
        accountId,
        HOUR_LIMIT,
        DAY_LIMIT,
      ]);
      const apis = replicas.map(({ origin }) => new ApiClient(origin, key));
      const statuses = { 200: 0, 429: 0, lost: 0 };
      let running = true;
      const clients = Array.from({ length: CLIENTS }, async (_, client) => {
        for (let n = client; running; n += 1) {
          const response = await (apis[n % apis.length] as ApiClient)
            .send('GET', '/v1/me')
            .catch(() => undefined);
          if (!response) await pause(20);
          const status = response?.status ?? 'lost';
          expect([200, 429, 'lost']).toContain(status);
          statuses[status as keyof typeof statuses] += 1;
        }
      });
      /** Kills a replica once so many requests were admitted, and starts it again. */
      const killAt = async (index: number, admitted: number): Promise<void> => {
        await until(() => statuses[200] >= admitted);
        await replicas[index]?.end('SIGKILL');
        replicas[index] = await start(ports[index] ?? 0);
      };
      try {
        await Promise.all([killAt(0, 0.8 * HOUR_LIMIT - 5), killAt(1, HOUR_LIMIT - 5 - CLIENTS)]);
        const refused = statuses[429];
        await until(() => statuses[429] > refused + 30);
      } finally {
        running = false;
        await Promise.all(clients);
      }

      const rows = await dataSource.query<{ body: string }[]>(
        `SELECT full_body AS body FROM events WHERE account_id = $1 AND type = 'usage.threshold_reached'`,
        [accountId],
      );
      const reached = rows.map(({ body }) => {
        const { window, threshold } = (JSON.parse(body) as { data: Record<string, unknown> }).data;
        return `${String(window)} ${String(threshold)}`;
      });
      expect(reached.sort()).toEqual(['day 80', 'hour 100', 'hour 80']);
      expect(statuses.lost).toBeGreaterThan(0);
      expect(statuses[200]).toBeLessThanOrEqual(HOUR_LIMIT);
    }
  },
  TEST_MS,
);
