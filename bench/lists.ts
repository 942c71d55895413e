/** `npm run bench:lists`: every kind of list on a small and a large account, one request at a time. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { listCases, pathOf, type ListCase } from './list-cases.js';
import { describeMachine } from './machine.js';
import { NodeProcess, PROJECT_FOLDER } from './node-process.js';
import { callApi, type Participant } from './participant.js';
import { startPostgres, type PostgresServer } from './postgres.js';
import { markdownTable } from './report/markdown-table.js';
import { startServices } from './service/start-service.js';
import { percentile } from './statistics.js';

/** p99 of any list in milliseconds, and its p50 over the one of the small account. */
const P99_GOAL_MS = 50;
const RATIO_GOAL = 3;
const WARM_UP = 20;

interface Options {
  sizes: number[];
  requests: number;
  postgres: string | undefined;
}

interface Latency {
  p50: number;
  p99: number;
}

async function main(options: Options): Promise<void> {
  const parent = path.join(PROJECT_FOLDER, '.tmp');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(path.join(parent, 'bench-lists-'));
  let postgres: PostgresServer | undefined;
  try {
    postgres = await startPostgres(path.join(folder, 'database'), options.postgres);
    const { date, processor, cores, commit } = describeMachine(postgres.version);
    console.log(
      `${date}, ${String(cores)} × ${processor}, PostgreSQL ${postgres.version}, ${commit}\n`,
    );
    const found: Map<string, Latency>[] = [];
    for (const size of options.sizes)
      found.push(await measureSize(postgres, folder, size, options));
    console.log(report(options.sizes, found));
  } finally {
    await NodeProcess.stopAll();
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureSize(
  postgres: PostgresServer,
  folder: string,
  documents: number,
  { requests }: Options,
): Promise<Map<string, Latency>> {
  const name = `bench_lists_${String(documents)}`;
  const startedAt = performance.now();
  const databaseUrl = await postgres.createDatabase(name);
  const setting = { documents, logFolder: folder, env: {}, levers: [] };
  const [service] = await startServices({ ...setting, databaseUrl });
  if (!service) throw new Error('No service was started.');
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  console.log(`${documents.toLocaleString('en')} documents: filled in ${seconds} s`);
  const latencies = new Map<string, Latency>();
  for (const one of await listCases(service, documents)) {
    latencies.set(one.name, await measure(service, one, requests));
  }
  await service.server.stop();
  await postgres.dropDatabase(name);
  return latencies;
}

async function measure(service: Participant, asked: ListCase, requests: number): Promise<Latency> {
  const times: number[] = [];
  for (let n = 0; n < WARM_UP + requests; n += 1) {
    const wanted = pathOf(asked, n);
    const startedAt = performance.now();
    const { status } = await callApi(service, wanted);
    if (status !== 200) throw new Error(`${asked.name}: ${wanted} was answered ${String(status)}.`);
    if (n >= WARM_UP) times.push(performance.now() - startedAt);
  }
  times.sort((one, other) => one - other);
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

function report(sizes: number[], found: Map<string, Latency>[]): string {
  const [small, ...larger] = found;
  const titles = sizes.flatMap((size) => [`p50 at ${size.toLocaleString('en')}`, 'p99']);
  const rows = [...(small?.keys() ?? [])].map((name) => {
    const all = found.map((latencies) => latencies.get(name) ?? { p50: NaN, p99: NaN });
    const [first, last] = [all[0], all.at(-1)];
    const ratio = (last?.p50 ?? NaN) / (first?.p50 ?? NaN);
    const reached = ratio <= RATIO_GOAL && (last?.p99 ?? NaN) <= P99_GOAL_MS;
    const cells = all.flatMap(({ p50, p99 }) => [p50.toFixed(1), p99.toFixed(1)]);
    return [name, ...cells, ratio.toFixed(2), larger.length === 0 || reached ? 'yes' : 'NO'];
  });
  const goal = `ratio ≤ ${String(RATIO_GOAL)}, p99 ≤ ${String(P99_GOAL_MS)}`;
  return `\n${markdownTable(['list', ...titles, 'ratio of p50', goal], rows)}`;
}

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,1000000' },
    requests: { type: 'string', default: '200' },
    postgres: { type: 'string' },
  },
});
try {
  await main({
    sizes: values.sizes.split(',').map(Number),
    requests: Number(values.requests),
    postgres: values.postgres,
  });
} catch (reason) {
  console.error(reason instanceof Error ? reason.message : reason);
  process.exitCode = 1;
}
