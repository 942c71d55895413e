import { randomBytes } from 'node:crypto';
import { freePort } from '@document-service/embedded-postgres/free-port';
import { newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import { SecretBox } from '../../src/platform/secrets/secret-box.js';
import { makeAccount } from '../support/accounts.js';
import { openTestDatabase } from '../support/postgres.js';
import { ApiClient } from '../support/api-client.js';
import { drillCount } from '../support/drills.js';
import { eventually } from '../support/eventually.js';
import { startService, spawnService, type ServiceProcess } from '../support/service-process.js';

const OLD = 12_000;
const OWED = 300;
const YOUNG = 3_000;
const KILLS = drillCount({ small: 1, full: 4 });
const SECRETS_KEY = randomBytes(32);
/** Retention is 30 days. Young events are a few minutes younger. */
const OLD_AGE = "interval '30 days' + n * interval '1 second'";
const YOUNG_AGE = "interval '30 days' - interval '10 minutes' - n * interval '1 second'";

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let environment: Record<string, string>;
const started: ServiceProcess[] = [];
beforeAll(async () => {
  database = await openTestDatabase();
  environment = {
    DATABASE_URL: database.url,
    SECRETS_KEY: SECRETS_KEY.toString('base64'),
    PROCESS_ROLE: 'worker',
  };
});
afterAll(async () => {
  await Promise.all(started.map((process) => process.end('SIGKILL')));
  await database.drop();
});

/**
 * Writes events of this age, each with a delivery in this state and an attempt. Ids start with the time, as real ones do.
 */
async function write(
  { accountId, webhookId }: { accountId: string; webhookId: string },
  kind: 'old' | 'owed' | 'young',
  count: number,
): Promise<void> {
  const age = kind === 'young' ? YOUNG_AGE : OLD_AGE;
  await database.dataSource.query(
    `WITH item AS (
       SELECT now() - (${age}) AS at, gen_random_uuid() AS delivery_id, replace(gen_random_uuid()::text, '-', '') AS random
         FROM generate_series(1, $3::integer) AS n
     ), event AS (
       INSERT INTO events (id, account_id, type, subject_id, full_body, thin_body, created_at)
       SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(random, 14))::uuid,
              $1, 'document.updated', delivery_id, '{}', json_build_object('kind', $4::text)::text, at FROM item
       RETURNING *
     ), delivery AS (
       INSERT INTO webhook_deliveries (id, account_id, event_id, webhook_id, status, attempts, next_attempt_at, created_at)
       SELECT subject_id, account_id, id, $2, CASE $4::text WHEN 'owed' THEN 'pending' ELSE 'succeeded' END, 1,
              now() + interval '1 day', created_at FROM event
       RETURNING id
     )
     INSERT INTO webhook_delivery_attempts (delivery_id, number, started_at, duration_ms, request_headers)
     SELECT id, 1, now(), 1, '{}' FROM delivery`,
    [accountId, webhookId, count, kind],
  );
}

/** Does not wait for it, because it purges before it is ready. */
async function spawnWorker(): Promise<ServiceProcess> {
  const worker = spawnService({ ...environment, PORT: String(await freePort()) });
  started.push(worker);
  return worker;
}

interface Ledger {
  old: number;
  owed: number;
  young: number;
  deliveries: number;
  attempts: number;
}

/** Counts the rows. `thin_body` contains the kind. */
async function ledger(): Promise<Ledger> {
  const [row] = await database.dataSource.query<Ledger[]>(
    `SELECT count(*) FILTER (WHERE thin_body::json->>'kind' = 'old')::integer AS old,
            count(*) FILTER (WHERE thin_body::json->>'kind' = 'owed')::integer AS owed,
            count(*) FILTER (WHERE thin_body::json->>'kind' = 'young')::integer AS young,
            (SELECT count(*)::integer FROM webhook_deliveries) AS deliveries,
            (SELECT count(*)::integer FROM webhook_delivery_attempts) AS attempts
       FROM events`,
  );
  if (!row) throw new Error('no ledger');
  return row;
}

/** Expects that only complete groups of rows were purged, and nothing else. */
function expectWhole({ old, owed, young, deliveries, attempts }: Ledger): void {
  expect({ owed, young }).toEqual({ owed: OWED, young: YOUNG });
  expect({ deliveries, attempts }).toEqual({
    deliveries: old + owed + young,
    attempts: old + owed + young,
  });
}

it('workers killed during a purge lose nothing young or pending and leave nothing half-done, and the next one continues', async () => {
  const { accountId, key } = await makeAccount(database.dataSource);
  const webhookId = newUuid();
  await database.dataSource.query(
    `INSERT INTO webhooks (id, account_id, url, events, payload, secret_encrypted, secret_preview, created_at, updated_at)
     VALUES ($1, $2, 'https://receiver.example/', '{webhook.test}', 'full', $3, '', now(), now())`,
    [webhookId, accountId, new SecretBox(SECRETS_KEY).seal('secret', webhookId)],
  );
  const owner = { accountId, webhookId };
  await write(owner, 'owed', OWED);
  await write(owner, 'old', OLD);
  await write(owner, 'young', YOUNG);
  expect((await ledger()).old).toBe(OLD);

  let left = OLD;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    // Two at a time, as in production. One is killed in the middle of its work.
    const workers = [await spawnWorker(), await spawnWorker()];
    const before = left;
    await eventually(ledger, ({ old }) => old < before, 30_000);
    await Promise.all(workers.map((worker) => worker.end('SIGKILL')));
    const found = await ledger();
    expectWhole(found);
    left = found.old;
  }
  // Killed in the middle, not at the end.
  expect(left).toBeGreaterThan(0);

  const last = await startService({ ...environment, PROCESS_ROLE: 'all' });
  started.push(last);
  const end = await eventually(ledger, ({ old }) => old === 0, 30_000);
  expectWhole(end);
  const { meta } = (await new ApiClient(last.origin, key).listEvents()).body as {
    meta: { pagination: { total: number } };
  };
  expect(meta.pagination.total).toBe(OWED + YOUNG);
  expect(last.log().filter(({ level }) => level === 'warn' || level === 40)).toEqual([]);
}, 120_000);
