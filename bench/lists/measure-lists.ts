import type { BenchOptions } from '../options.js';
import { callApi, type Participant } from '../participant.js';
import type { PostgresServer } from '../postgres.js';
import type { Latency, ListLatencies } from '../results.js';
import { untilIndexed } from '../service/search-index.js';
import { startServices } from '../service/start-service.js';
import { percentile } from '../statistics.js';
import { listCases, pathOf, type ListCase } from './list-cases.js';

/** p50 of the large account divided by that of the small account, and p99 of the large one in milliseconds. */
export const RATIO_GOAL = 3;
export const P99_GOAL_MS = 50;

const WARM_UP = 20;

/** Measures every kind of list on a small and a large account, one request at a time. */
export async function measureLists(
  postgres: PostgresServer,
  folder: string,
  options: BenchOptions,
  say: (words: string) => void,
): Promise<ListLatencies[]> {
  const [smaller, larger] = options.listSizes;
  const small = await measureAccount(postgres, folder, smaller, options, say);
  const large = await measureAccount(postgres, folder, larger, options, say);
  return [...small].map(([name, latency]) => {
    const other = large.get(name) ?? { p50: NaN, p99: NaN };
    const ratio = other.p50 / latency.p50;
    const reached = ratio <= RATIO_GOAL && other.p99 <= P99_GOAL_MS;
    return { name, small: latency, large: other, ratio, reached };
  });
}

async function measureAccount(
  postgres: PostgresServer,
  folder: string,
  documents: number,
  options: BenchOptions,
  say: (words: string) => void,
): Promise<Map<string, Latency>> {
  say(`lists of ${documents.toLocaleString('en')} documents: filling`);
  const name = `bench_lists_${String(documents)}`;
  const databaseUrl = await postgres.createDatabase(name);
  // A worker adds documents to the search index.
  const env = { ...options.env, PROCESS_ROLE: 'all' };
  const setting = { databaseUrl, documents, logFolder: folder, env, levers: [] };
  const [service] = await startServices(setting);
  if (!service) throw new Error('No service was started.');
  await untilIndexed(databaseUrl);
  say(`lists of ${documents.toLocaleString('en')} documents: measuring`);
  const latencies = new Map<string, Latency>();
  for (const one of await listCases(service, documents)) {
    latencies.set(one.name, await measure(service, one, options.listRequests));
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
    if (status !== 200)
      throw new Error(`${asked.name}: the response to ${wanted} was ${String(status)}.`);
    if (n >= WARM_UP) times.push(performance.now() - startedAt);
  }
  times.sort((one, other) => one - other);
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}
