import pg from 'pg';
import { startTestApp, type TestApp } from '../support/app.js';
import { register } from './delivery-tools.js';

const TABLES = ['webhook_delivery_attempts', 'webhook_deliveries', 'events'];
const WEBHOOKS = 10;
const EVENTS = 3_000;
const PAGES_A_DELIVERY = 60;

let app: TestApp;
let worker: pg.Client;
beforeAll(async () => {
  app = await startTestApp();
  worker = new pg.Client({ connectionString: (app.dataSource.options as { url: string }).url });
  await worker.connect();
});
afterAll(async () => {
  await worker.end();
  await app.close();
});

interface Claimed {
  deliveryId: string;
  generation: number;
  attempts: number;
}

/** Returns how much a function call read and returned. Counts pages rather than time, because the machine may be busy. */
async function pagesRead(call: string, values: unknown[]): Promise<number> {
  const { rows } = await worker.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM ${call}`,
    values,
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
  return (plan['Shared Hit Blocks'] ?? NaN) + (plan['Shared Read Blocks'] ?? NaN);
}

describe('a worker whose query plans were made while nothing was pending', () => {
  it('a worker whose query plans were made while nothing was pending reads no more than a few pages for each delivery of a long queue', async () => {
    const { api, accountId } = await app.account();
    const webhooks: string[] = [];
    for (let index = 0; index < WEBHOOKS; index += 1) {
      webhooks.push(await register(api, `https://receiver.example/${String(index)}`));
    }
    const claim = [
      'claim_webhook_deliveries($1::uuid[], $2::integer[], 100, 32000000, 20, 30000, 0)',
      [webhooks, webhooks.map(() => 10)],
    ] as const;
    const settle = 'settle_webhook_deliveries($1::json)';
    const settled = (claimed: readonly Claimed[]) => [
      JSON.stringify(
        claimed.map(({ deliveryId, generation, attempts }) => ({
          deliveryId,
          generation,
          number: attempts + 1,
          status: 'succeeded',
          startedAt: new Date(),
          durationMs: 1,
          requestHeaders: {},
        })),
      ),
    ];
    const owe = (events: number) =>
      app.dataSource.query(
        `INSERT INTO events (id, account_id, type, subject_id, full_body, thin_body, created_at)
         SELECT uuid_v7(), $1, 'document.updated', uuid_v7(), '{}', '{}', now() FROM generate_series(1, $2::integer)`,
        [accountId, events],
      );
    for (const table of TABLES) {
      // Keeps the planner's statistics and cached plans unchanged.
      await app.dataSource.query(`ALTER TABLE ${table}_first SET (autovacuum_enabled = off)`);
      await app.dataSource.query(`VACUUM ANALYZE ${table}`);
    }
    const announce = ['announce_due($1::uuid[])', [[accountId]]] as const;
    await worker.query(`SELECT * FROM ${claim[0]}`, [...claim[1]]);
    await worker.query(`SELECT ${announce[0]}`, [...announce[1]]);
    await owe(1);
    const first = await worker.query<Claimed>(`SELECT * FROM ${claim[0]}`, [...claim[1]]);
    await worker.query(`SELECT * FROM ${settle}`, settled(first.rows));

    await owe(EVENTS);
    const claimed = await worker.query<Claimed>(`SELECT * FROM ${claim[0]}`, [...claim[1]]);
    expect(claimed.rows).toHaveLength(100);
    const ofAnnouncing = await pagesRead(announce[0], [...announce[1]]);
    const ofClaim = await pagesRead(claim[0], [...claim[1]]);
    const ofSettling = await pagesRead(settle, settled(claimed.rows));
    expect(ofAnnouncing).toBeLessThan(WEBHOOKS * PAGES_A_DELIVERY);
    expect(ofClaim).toBeLessThan(100 * PAGES_A_DELIVERY);
    expect(ofSettling).toBeLessThan(100 * PAGES_A_DELIVERY);
  });

  it('a worker whose query plans were made while nothing was pending is notified by a statement that reads none of the deliveries that are not due', async () => {
    const { api, accountId } = await app.account();
    const webhook = await register(api, 'https://receiver.example/later');
    await app.dataSource.query(
      `INSERT INTO webhook_deliveries (id, account_id, event_id, webhook_id, next_attempt_at, created_at)
       SELECT uuid_v7(), $1, uuid_v7(), $2, now() + interval '1 hour', now() FROM generate_series(1, $3::integer)`,
      [accountId, webhook, EVENTS],
    );
    const pages = await pagesRead('announce_due($1::uuid[])', [[accountId]]);
    expect(pages).toBeLessThan(PAGES_A_DELIVERY);
  });
});
