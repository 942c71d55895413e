import { writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { BASELINE_SCHEMA } from '../baseline/schema.js';
import { ask, untilArrived } from '../deliveries/arrivals.js';
import type { PostgresServer } from '../postgres.js';
import { callApi, NodeProcess, openService, TYPESCRIPT_LOADER, type Variant } from '../servers.js';
import { BASELINE_TENANTS, makeTenants, SERVICE_TENANTS, type TenantMaker } from './tenants.js';
import type { Tenant } from './traffic.js';

/** A server with its own database and accounts. All sides have the same documents and handle the same requests. */
export interface Side {
  label: string;
  server: NodeProcess;
  databaseUrl: string;
  tenants: Tenant[];
  /** The same in a file, for the load process. */
  tenantsFile: string;
  /** Delivers and indexes what this side writes. The baseline does neither. */
  background: Background | undefined;
  close(): Promise<void>;
}

interface Background {
  worker: NodeProcess;
  /** Creates a webhook for creates and changes in each account. */
  listen(): Promise<void>;
  /** Resolves when this many writes are delivered to the webhooks, and everything is indexed. */
  settled(writes: number): Promise<void>;
}

interface Bed {
  postgres: PostgresServer;
  /** For logs, and files for the load process. */
  folder: string;
  accounts: number;
  documents: number;
  seed: number;
}

/** Starts the baseline on a new database. */
export async function openBaseline(bed: Bed): Promise<Side> {
  const database = 'bench_baseline';
  const databaseUrl = await bed.postgres.createDatabase(database);
  await query(databaseUrl, BASELINE_SCHEMA);
  const filled = await fill(databaseUrl, BASELINE_TENANTS, bed);
  const server = await NodeProcess.start({
    args: [...TYPESCRIPT_LOADER, 'bench/baseline/server.ts'],
    env: { NODE_ENV: 'production', DATABASE_URL: databaseUrl },
    logFile: path.join(bed.folder, 'baseline.log'),
  });
  return {
    label: 'baseline',
    server,
    databaseUrl,
    ...filled,
    background: undefined,
    close: async () => {
      await server.stop();
      await bed.postgres.dropDatabase(database);
    },
  };
}

/** Starts an API process and a worker of the variant on a new database, and a receiver of webhooks. */
export async function openSide(bed: Bed, variant: Variant, database: string): Promise<Side> {
  const service = await openService(bed.postgres, variant, database, bed.folder);
  const { databaseUrl } = service;
  const filled = await fill(databaseUrl, SERVICE_TENANTS, bed);
  const [server, worker] = [await service.start('api'), await service.start('worker')];
  const receiver = await startReceiver(bed.folder, database);
  await service.untilIndexed();
  // As autovacuum would, but not during a measurement.
  await query(databaseUrl, 'VACUUM (ANALYZE)');
  let webhooks = 0;
  return {
    label: variant.label,
    server,
    databaseUrl,
    ...filled,
    background: {
      worker,
      listen: async () => {
        if (webhooks > 0) return;
        for (const { key } of filled.tenants) await createWebhook(server, key, receiver.origin);
        webhooks = 1;
      },
      settled: async (writes) => {
        await untilArrived(receiver.origin, writes * webhooks);
        await service.untilIndexed();
        await ask(receiver.origin, 'forget');
      },
    },
    close: async () => {
      for (const process of [server, worker, receiver]) await process.stop();
      await service.drop();
    },
  };
}

/** Starts a receiver of webhooks. `name` is part of the name of its log file. */
export function startReceiver(folder: string, name: string): Promise<NodeProcess> {
  return NodeProcess.start({
    args: [...TYPESCRIPT_LOADER, 'bench/deliveries/receiver.ts'],
    env: {},
    logFile: path.join(folder, `${name}-receiver.log`),
  });
}

async function fill(
  databaseUrl: string,
  maker: TenantMaker,
  bed: Bed,
): Promise<Pick<Side, 'tenants' | 'tenantsFile'>> {
  const tenants = await makeTenants(databaseUrl, maker, bed);
  const tenantsFile = path.join(bed.folder, `${new URL(databaseUrl).pathname.slice(1)}.json`);
  writeFileSync(tenantsFile, JSON.stringify(tenants));
  return { tenants, tenantsFile };
}

async function createWebhook(server: NodeProcess, key: string, url: string): Promise<void> {
  const events = ['document.created', 'document.updated'];
  const { status } = await callApi({ key, server }, '/v1/webhooks', { url, events });
  if (status !== 201) throw new Error(`Creating a webhook failed with ${String(status)}.`);
}

async function query(databaseUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
}
