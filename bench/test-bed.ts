import { startBaseline } from './baseline/start-baseline.js';
import type { BenchOptions } from './options.js';
import type { Participant } from './participant.js';
import type { PostgresServer } from './postgres.js';
import { startServices } from './service/start-service.js';

/** New databases with one account of the requested size each, and servers that use them. */
export interface TestBed {
  services: Participant[];
  baseline: Participant;
  close(): Promise<void>;
}

/** `logFolder` receives the servers' output. */
export async function openTestBed(
  postgres: PostgresServer,
  documents: number,
  logFolder: string,
  options: BenchOptions,
): Promise<TestBed> {
  const names = { service: 'bench_service', baseline: 'bench_baseline' };
  const setting = { documents, logFolder };
  const databaseUrl = await postgres.createDatabase(names.service);
  const services = options.baselineTwice
    ? [await startBaseline({ ...setting, label: 'baseline again', databaseUrl })]
    : await startServices({ ...setting, databaseUrl, env: options.env, levers: options.levers });
  const baseline = await startBaseline({
    ...setting,
    label: 'baseline',
    databaseUrl: await postgres.createDatabase(names.baseline),
  });
  return {
    services,
    baseline,
    close: async () => {
      for (const { server } of [...services, baseline]) await server.stop();
      for (const name of Object.values(names)) await postgres.dropDatabase(name);
    },
  };
}
