import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { startReceiver } from '../ordinary/sides.js';
import { makeTenants, SERVICE_TENANTS } from '../ordinary/tenants.js';
import type { BenchContext } from '../report.js';
import {
  callApi,
  inheritedEnvironment,
  openService,
  PROJECT_FOLDER,
  TYPESCRIPT_LOADER,
  type NodeProcess,
  type Participant,
} from '../servers.js';

const run = promisify(execFile);

export const WEBHOOKS = 10;
const NAME = 'bench_deliveries';
const BODY = JSON.stringify({ type: 'document.created', content: 'x'.repeat(2_000) });
/** Triggers plan the deliveries, and a statement must stay well within its time limit. */
const EVENTS_PER_STATEMENT = 1_000;

/** An account with {@link WEBHOOKS} to one receiver, and functions that send to it. */
export interface DeliveryBed {
  api: Participant;
  receiver: NodeProcess;
  startWorker(): Promise<NodeProcess>;
  /** Adds events to the account. Each must be delivered to every webhook. */
  owe(events: number): Promise<void>;
  /** Removes all events and deliveries. */
  empty(): Promise<void>;
  /** Sends this many deliveries with the plain loop. */
  runPlainLoop(deliveries: number): Promise<void>;
  close(): Promise<void>;
}

export async function openDeliveryBed({
  postgres,
  folder,
  options,
}: BenchContext): Promise<DeliveryBed> {
  const service = await openService(postgres, options.variants[0], NAME, folder);
  const { databaseUrl } = service;
  const account = { accounts: 1, documents: 1, seed: options.seed };
  const [tenant] = await makeTenants(databaseUrl, SERVICE_TENANTS, account);
  const receiver = await startReceiver(folder, NAME);
  const api = { key: tenant?.key ?? '', server: await service.start('api') };
  for (let index = 0; index < WEBHOOKS; index += 1) {
    const url = `${receiver.origin}/${String(index)}`;
    await callApi(api, '/v1/webhooks', { url, events: ['*'] });
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return {
    api,
    receiver,
    startWorker: () => service.start('worker'),
    owe: async (events) => {
      for (let made = 0; made < events; made += EVENTS_PER_STATEMENT) {
        await client.query(
          `INSERT INTO events (id, account_id, type, subject_id, full_body, thin_body, created_at)
           SELECT uuidv7(), $1, 'document.created', uuidv7(), $2, '{}', now() FROM generate_series(1, $3::int)`,
          [tenant?.accountId, BODY, Math.min(EVENTS_PER_STATEMENT, events - made)],
        );
        await client.query('SELECT announce_due($1)', [[tenant?.accountId]]);
      }
    },
    empty: async () => {
      await client.query('TRUNCATE webhook_delivery_attempts, webhook_deliveries, events');
    },
    runPlainLoop: async (deliveries) => {
      await fillLoop(client, deliveries);
      const args = [...TYPESCRIPT_LOADER, 'bench/deliveries/plain-loop.ts', receiver.origin];
      const env = { ...inheritedEnvironment(), DATABASE_URL: databaseUrl };
      await run(process.execPath, args, { cwd: PROJECT_FOLDER, env });
    },
    close: async () => {
      await client.end();
      await api.server.stop();
      await receiver.stop();
      await service.drop();
    },
  };
}

async function fillLoop(client: pg.Client, deliveries: number): Promise<void> {
  await client.query(`DROP TABLE IF EXISTS loop_deliveries`);
  await client.query(`CREATE TABLE loop_deliveries (
    id uuid PRIMARY KEY, body text NOT NULL, status text NOT NULL, completed_at timestamptz)`);
  await client.query(
    `INSERT INTO loop_deliveries SELECT uuidv7(), $1, 'pending' FROM generate_series(1, $2::int)`,
    [BODY, deliveries],
  );
  await client.query('ANALYZE loop_deliveries');
}
