import { randomBytes } from 'node:crypto';
import { freePort } from '@document-service/embedded-postgres/free-port';
import { makeAccount } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { openTestDatabase } from '../support/postgres.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { WebhookReceiver, type Received } from '../support/webhook-receiver.js';
import { eventually } from '../support/eventually.js';
import { register } from './delivery-tools.js';
import { drillCount } from '../support/drills.js';

/** For longer runs: DELIVERY_KILLS_SECONDS=60 npx jest test/webhooks/delivery-random-kills */
const SECONDS = Number(process.env['DELIVERY_KILLS_SECONDS'] ?? drillCount({ small: 3, full: 30 }));
const CONCURRENCY = 10;
const WEBHOOKS = 2;
const WRITERS = 4;

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let receiver: WebhookReceiver;
beforeAll(async () => {
  database = await openTestDatabase();
  receiver = await WebhookReceiver.start((_, response) => {
    setTimeout(
      () => response.writeHead(Math.random() < 0.05 ? 500 : 200).end(),
      Math.random() * 20,
    );
  });
});
afterAll(async () => {
  await receiver.close();
  await database.drop();
});

/** A process that is killed at a random time and immediately restarted. */
class Victim {
  private process: ServiceProcess | undefined;
  private readonly environment: Record<string, string>;
  kills = 0;

  constructor(
    role: string,
    environment: Record<string, string>,
    readonly port: number,
  ) {
    this.environment = { ...environment, PROCESS_ROLE: role, PORT: String(port) };
  }

  async start(): Promise<void> {
    this.process = await startService(this.environment);
  }

  async end(): Promise<void> {
    await this.process?.end('SIGKILL');
  }

  async live(until: number): Promise<void> {
    while (performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 1_200));
      await this.end();
      this.kills += 1;
      await this.start();
    }
  }
}

it('processes killed at random under load lose no event, send none that did not happen, and send few twice', async () => {
  const environment = {
    DATABASE_URL: database.url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEBHOOK_TIME_LIMIT_SECONDS: '1',
    WEBHOOK_CONCURRENCY: String(CONCURRENCY),
    WEBHOOK_RETRY_SCHEDULE: Array.from({ length: 20 }, () => '0.2').join(),
  };
  const victims = await Promise.all(
    ['api', 'worker', 'worker'].map(
      async (role) => new Victim(role, environment, await freePort()),
    ),
  );
  await Promise.all(victims.map((victim) => victim.start()));
  const { key, accountId } = await makeAccount(database.dataSource);
  const api = new ApiClient(`http://127.0.0.1:${String(victims[0]?.port)}`, key);
  for (let index = 0; index < WEBHOOKS; index += 1) await register(api, receiver.url);

  // What the client was told: created documents.
  const created = new Set<string>();
  const until = performance.now() + SECONDS * 1_000;
  const writer = async () => {
    while (performance.now() < until) {
      const made = await api.createDocument({ title: 'Counted' }).catch(() => undefined);
      if (made?.status === 201) created.add(made.body.data.id as string);
      else await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const writing = Promise.all(Array.from({ length: WRITERS }, writer));
  await Promise.all(victims.map((victim) => victim.live(until)));
  await writing;
  await eventually(
    () =>
      database.dataSource.query<{ status: string }[]>(
        `SELECT DISTINCT status FROM webhook_deliveries WHERE status <> 'succeeded'`,
      ),
    (rows) => rows.length === 0,
    60_000,
  );
  await Promise.all(victims.map((victim) => victim.end()));

  // What happened in the database.
  const events = await database.dataSource.query<{ id: string }[]>(
    `SELECT full_body::json->>'id' AS id FROM events WHERE account_id = $1`,
    [accountId],
  );
  const happened = new Set(events.map(({ id }) => id));
  // What the receiver got.
  const received = new Map<string, Received[]>();
  for (const one of receiver.received) {
    const id = one.event.id as string;
    received.set(id, [...(received.get(id) ?? []), one]);
  }
  const documents = new Set(receiver.received.map(({ event }) => event.data.document.id as string));

  const lost = [...created].filter((id) => !documents.has(id));
  const missing = [...happened].filter((id) => (received.get(id)?.length ?? 0) < WEBHOOKS);
  const unexpected = [...received.keys()].filter((id) => !happened.has(id));
  const altered = [...received.values()].filter(([first, ...more]) =>
    more.some(
      ({ text, headers }) => text !== first?.text || headers['webhook-id'] !== first.event.id,
    ),
  );
  expect({ lost, missing, unexpected, altered }).toEqual({
    lost: [],
    missing: [],
    unexpected: [],
    altered: [],
  });
  const [attempts] = await database.dataSource.query<{ count: number }[]>(
    'SELECT count(*)::integer AS count FROM webhook_delivery_attempts',
  );
  const kills = victims.reduce((sum, victim) => sum + victim.kills, 0);
  expect(kills).toBeGreaterThan(0);
  expect(created.size).toBeGreaterThan(0);
  // Sent but not recorded: at most the deliveries that were in progress when a worker was killed.
  const duplicates = receiver.received.length - (attempts?.count ?? 0);
  expect(duplicates).toBeLessThanOrEqual(kills * CONCURRENCY * WEBHOOKS);
  const ledger = { kills, created: created.size, received: receiver.received.length, duplicates };
  if (process.env['DELIVERY_KILLS_SECONDS']) process.stdout.write(`${JSON.stringify(ledger)}\n`);
}, 180_000);
