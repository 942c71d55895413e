import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import pg from 'pg';
import {
  inheritedEnvironment,
  NodeProcess,
  PROJECT_FOLDER,
  TYPESCRIPT_LOADER,
} from '../node-process.js';
import { callApi, type Participant } from '../participant.js';
import { makeTenants, SERVICE_TENANTS } from '../ordinary/tenants.js';
import type { BenchContext } from '../results.js';
import { openService } from '../service/service.js';

const NAME = 'bench_deliveries';
const BODY_BYTES = 2_000;
/** Triggers plan the deliveries, and a statement must stay well within its time limit. */
const EVENTS_PER_STATEMENT = 1_000;

/** An account with webhooks to one receiver, and functions that send to it. */
export interface DeliveryBed {
  webhooks: number;
  api: Participant;
  receiver: NodeProcess;
  startWorker(): Promise<NodeProcess>;
  /** Starts measuring the CPU time of PostgreSQL. */
  meter(): Promise<() => Promise<number>>;
  /** Adds events to the account. Each must be delivered to every webhook. */
  owe(events: number): Promise<void>;
  /** Removes all events and deliveries. */
  empty(): Promise<void>;
  /** Sends this many deliveries with the plain loop. */
  runPlainLoop(deliveries: number): Promise<void>;
  close(): Promise<void>;
}

export async function openDeliveryBed(
  { postgres, folder, options }: BenchContext,
  webhooks: number,
): Promise<DeliveryBed> {
  const service = await openService(postgres, options.variants[0], NAME, folder);
  const { databaseUrl } = service;
  const account = { accounts: 1, documents: 0, seed: options.seed };
  const [tenant] = await makeTenants(databaseUrl, SERVICE_TENANTS, account);
  if (tenant === undefined) throw new Error('No account was created.');
  const { key, accountId } = tenant;
  const receiver = await NodeProcess.start({
    args: [...TYPESCRIPT_LOADER, 'bench/deliveries/receiver.ts'],
    env: {},
    logFile: path.join(folder, 'deliveries-receiver.log'),
  });
  const api = { label: 'service', key, server: await service.start('api') };
  for (let index = 0; index < webhooks; index += 1) {
    const url = `${receiver.origin}/${String(index)}`;
    await callApi(api, '/v1/webhooks', { url, events: ['*'] });
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return {
    webhooks,
    api,
    receiver,
    meter: () => postgres.meter(databaseUrl),
    startWorker: () => service.start('worker'),
    owe: (events) => owe(client, accountId, events),
    empty: async () => {
      await client.query('TRUNCATE webhook_delivery_attempts, webhook_deliveries, events');
    },
    runPlainLoop: async (deliveries) => {
      await fillLoop(client, deliveries);
      await runLoop(databaseUrl, receiver.origin);
    },
    close: async () => {
      await client.end();
      await api.server.stop();
      await receiver.stop();
      await service.drop();
    },
  };
}

async function owe(client: pg.Client, accountId: string, events: number): Promise<void> {
  for (let made = 0; made < events; made += EVENTS_PER_STATEMENT) {
    await client.query(
      `INSERT INTO events (id, account_id, type, subject_id, full_body, thin_body, created_at)
       SELECT uuidv7(), $1, 'document.created', uuidv7(), $2, '{}', now() FROM generate_series(1, $3::int)`,
      [accountId, body(), Math.min(EVENTS_PER_STATEMENT, events - made)],
    );
    await client.query('SELECT announce_due($1)', [[accountId]]);
  }
}

async function fillLoop(client: pg.Client, deliveries: number): Promise<void> {
  await client.query(`DROP TABLE IF EXISTS loop_deliveries`);
  await client.query(`CREATE TABLE loop_deliveries (
    id uuid PRIMARY KEY, body text NOT NULL, status text NOT NULL, completed_at timestamptz)`);
  await client.query(
    `INSERT INTO loop_deliveries SELECT uuidv7(), $1, 'pending' FROM generate_series(1, $2::int)`,
    [body(), deliveries],
  );
  await client.query('ANALYZE loop_deliveries');
}

async function runLoop(databaseUrl: string, url: string): Promise<void> {
  const child = spawn(
    process.execPath,
    [...TYPESCRIPT_LOADER, 'bench/deliveries/plain-loop.ts', url],
    {
      cwd: PROJECT_FOLDER,
      env: { ...inheritedEnvironment(), DATABASE_URL: databaseUrl },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The plain loop exited with ${String(code)}.`);
}

function body(): string {
  return JSON.stringify({ type: 'document.created', content: 'x'.repeat(BODY_BYTES) });
}
