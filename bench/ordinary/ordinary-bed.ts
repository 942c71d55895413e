import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { BASELINE_SCHEMA } from '../baseline/schema.js';
import { startBaselineServer } from '../baseline/start-baseline.js';
import { ask, untilArrived } from '../deliveries/arrivals.js';
import { NodeProcess, TYPESCRIPT_LOADER } from '../node-process.js';
import type { BenchOptions } from '../options.js';
import type { PostgresServer } from '../postgres.js';
import { callApi } from '../participant.js';
import { runCli } from '../service/cli.js';
import { untilIndexed } from '../service/search-index.js';
import type { TenantMaker } from './tenants.js';
import { BASELINE_TENANTS, makeTenants, SERVICE_TENANTS } from './tenants.js';
import type { Tenant } from './traffic.js';

const NAMES = { service: 'bench_ordinary', baseline: 'bench_ordinary_baseline' };
const WEBHOOKS_AN_ACCOUNT = 2;
const WEBHOOK_EVENTS = ['document.created', 'document.updated'];

/** Processes that handle the same requests with the same documents. */
export interface Side extends Tenants {
  label: string;
  servers: NodeProcess[];
  /** Delivers and indexes what this side writes. The baseline does neither. */
  background: Background | undefined;
}

interface Tenants {
  tenants: Tenant[];
  /** The same in a file, for the load process. */
  tenantsFile: string;
}

export interface Background {
  worker: NodeProcess;
  /** Resets the count of deliveries. */
  begin(): Promise<void>;
  /** Resolves when this many writes are delivered to all webhooks, and everything is indexed. */
  settled(writes: number): Promise<void>;
}

/** Both sides with the same accounts, and a worker that delivers for the service. */
export interface OrdinaryBed {
  /** The service as it is, and with each lever. */
  services: Side[];
  baseline: Side;
  /** Starts another API process, and returns both of them as a side. */
  startSecondApi(): Promise<Side>;
  /** Id of a process of the database server. */
  databasePid: number;
  close(): Promise<void>;
}

interface BedSetting {
  postgres: PostgresServer;
  folder: string;
  options: BenchOptions;
}

interface OpenService {
  sides: Side[];
  startApi(name: string, env: Record<string, string>): Promise<NodeProcess>;
}

export async function openOrdinaryBed(setting: BedSetting): Promise<OrdinaryBed> {
  const { postgres, folder, options } = setting;
  const baselineUrl = await postgres.createDatabase(NAMES.baseline);
  const startBaseline = (): Promise<NodeProcess> =>
    startBaselineServer(baselineUrl, path.join(folder, 'ordinary-baseline.log'));
  const probe = new pg.Client({ connectionString: baselineUrl });
  await probe.connect();
  await probe.query(BASELINE_SCHEMA);
  const { rows } = await probe.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const baseline: Side = {
    label: 'baseline',
    ...(await fillTenants(baselineUrl, BASELINE_TENANTS, setting)),
    servers: [await startBaseline()],
    background: undefined,
  };
  const service = options.baselineTwice ? undefined : await openService(setting);
  const again = { ...baseline, label: 'baseline again' };
  const services = service?.sides ?? [{ ...again, servers: [await startBaseline()] }];
  return {
    services,
    baseline,
    databasePid: rows[0]?.pid ?? 0,
    startSecondApi: async () => {
      const [first] = services;
      if (first === undefined || service === undefined) throw new Error('There is no service.');
      const second = await service.startApi('second', {});
      return { ...first, label: 'two API processes', servers: [...first.servers, second] };
    },
    close: async () => {
      await probe.end();
      await NodeProcess.stopAll();
      for (const name of Object.values(NAMES)) await postgres.dropDatabase(name);
    },
  };
}

async function openService(setting: BedSetting): Promise<OpenService> {
  const { postgres, folder, options } = setting;
  const databaseUrl = await postgres.createDatabase(NAMES.service);
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    ...options.env,
  };
  const start = (name: string, args: string[], own: Record<string, string>): Promise<NodeProcess> =>
    NodeProcess.start({
      args,
      env: { ...env, ...own },
      logFile: path.join(folder, `ordinary-${name}.log`),
    });
  const startApi: OpenService['startApi'] = (name, own) =>
    start(name, ['dist/main.js'], { ...own, PROCESS_ROLE: 'api' });
  await runCli(['migrate'], env);
  const filled = await fillTenants(databaseUrl, SERVICE_TENANTS, setting);
  const worker = await start('worker', ['dist/main.js'], { PROCESS_ROLE: 'worker' });
  const receiver = await start(
    'receiver',
    [...TYPESCRIPT_LOADER, 'bench/deliveries/receiver.ts'],
    {},
  );
  const background: Background = {
    worker,
    begin: async () => {
      await ask(receiver.origin, 'forget');
    },
    settled: async (writes) => {
      await untilArrived(receiver.origin, writes * WEBHOOKS_AN_ACCOUNT);
      await untilIndexed(databaseUrl);
    },
  };
  const sides: Side[] = [];
  for (const { label, env: own } of [{ label: 'service', env: {} }, ...options.levers]) {
    const server = await startApi(`api-${String(sides.length)}`, own);
    sides.push({ label, ...filled, servers: [server], background });
  }
  await listen(sides[0] as Side, receiver);
  await untilIndexed(databaseUrl);
  await vacuum(databaseUrl);
  return { sides, startApi };
}

/** Creates the accounts of one side with their documents. The large one is last. */
async function fillTenants(
  databaseUrl: string,
  maker: TenantMaker,
  { folder, options }: BedSetting,
): Promise<Tenants> {
  const { accounts, accountDocuments, largeDocuments } = options.ordinary;
  const sizes = [...Array.from({ length: accounts }, () => accountDocuments), largeDocuments];
  const tenants = await makeTenants(databaseUrl, maker, sizes, options.seed);
  const tenantsFile = path.join(folder, `${new URL(databaseUrl).pathname.slice(1)}.json`);
  writeFileSync(tenantsFile, JSON.stringify(tenants));
  return { tenants, tenantsFile };
}

async function listen({ servers, tenants }: Side, receiver: NodeProcess): Promise<void> {
  for (const [index, { key }] of tenants.entries()) {
    for (let n = 0; n < WEBHOOKS_AN_ACCOUNT; n += 1) {
      const participant = { label: 'service', key, server: servers[0] as NodeProcess };
      const url = `${receiver.origin}/${String(index)}/${String(n)}`;
      const { status } = await callApi(participant, '/v1/webhooks', {
        url,
        events: WEBHOOK_EVENTS,
      });
      if (status !== 201) throw new Error(`Creating a webhook failed with ${String(status)}.`);
    }
  }
}

/** Vacuums after indexing, as autovacuum would, but not during a measurement. */
async function vacuum(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('VACUUM (ANALYZE)');
  await client.end();
}
