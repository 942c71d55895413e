import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import pg from 'pg';
import { TypeID } from 'typeid-js';
import {
  inheritedEnvironment,
  NodeProcess,
  PROJECT_FOLDER,
  TYPESCRIPT_LOADER,
} from '../node-process.js';
import type { BenchOptions } from '../options.js';
import { callApi, type Participant } from '../participant.js';
import type { PostgresServer } from '../postgres.js';
import { createKey, runCli } from '../service/cli.js';
import { MINUTE_LIMIT } from '../service/start-service.js';

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
  /** Id of a process of the database server. */
  databasePid: number;
  /** Adds events to the account. Each must be delivered to every webhook. */
  owe(events: number): Promise<void>;
  /** Removes all events and deliveries. */
  empty(): Promise<void>;
  /** Sends this many deliveries with the plain loop. */
  runPlainLoop(deliveries: number): Promise<void>;
  close(): Promise<void>;
}

export async function openDeliveryBed(
  postgres: PostgresServer,
  folder: string,
  webhooks: number,
  options: BenchOptions,
): Promise<DeliveryBed> {
  const databaseUrl = await postgres.createDatabase(NAME);
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    ...options.env,
  };
  const start = (args: string[], role: string): Promise<NodeProcess> =>
    NodeProcess.start({
      args,
      env: { ...env, PROCESS_ROLE: role },
      logFile: path.join(folder, `deliveries-${role}.log`),
    });
  await runCli(['migrate'], env);
  const { key, accountId } = await createKey(env);
  const limits = ['--minute', String(MINUTE_LIMIT), '--hour', '1000000000', '--day', '1000000000'];
  await runCli(['accounts', 'plan', accountId, 'enterprise', ...limits], env);
  const receiver = await start([...TYPESCRIPT_LOADER, 'bench/deliveries/receiver.ts'], 'receiver');
  const api = { label: 'service', key, server: await start(['dist/main.js'], 'api') };
  for (let index = 0; index < webhooks; index += 1) {
    const url = `${receiver.origin}/${String(index)}`;
    await callApi(api, '/v1/webhooks', { url, events: ['*'] });
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return {
    webhooks,
    api,
    receiver,
    databasePid: rows[0]?.pid ?? 0,
    startWorker: () => start(['dist/main.js'], 'worker'),
    owe: (events) => owe(client, TypeID.fromString(accountId).toUUID(), events),
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
      await postgres.dropDatabase(NAME);
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
