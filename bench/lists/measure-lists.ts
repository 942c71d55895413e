import { latencies, markdownTable, yesOrNo } from '../report.js';
import { callApi, type Participant } from '../participant.js';
import type { BenchContext, ScenarioResult } from '../results.js';
import { openService } from '../service/service.js';
import { makeTenants, SERVICE_TENANTS } from '../ordinary/tenants.js';
import { percentile } from '../statistics.js';
import { listCases, pathOf, type ListCase } from './list-cases.js';

/** Maximum p99 in milliseconds, of the large account, and of facets of the small one. */
const P99_GOAL_MS = 150;
const SMALL_FACETS_GOAL_MS = 60;

const WARM_UP = 20;

interface Latency {
  p50: number;
  p99: number;
}

/** Measures every kind of list on a small and a large account, one request at a time. */
export async function measureLists(context: BenchContext): Promise<ScenarioResult> {
  const [smaller, larger] = context.options.listSizes;
  const small = await measureAccount(smaller, context);
  const large = await measureAccount(larger, context);
  const lists = [...small].map(([name, ofSmall]) => {
    const ofLarge = large.get(name) ?? { p50: NaN, p99: NaN };
    const smallGoal = name.startsWith('facets') ? SMALL_FACETS_GOAL_MS : P99_GOAL_MS;
    const reached = ofSmall.p99 <= smallGoal && ofLarge.p99 <= P99_GOAL_MS;
    return { name, small: ofSmall, large: ofLarge, reached };
  });
  const [fewer, more] = [smaller, larger].map((size) => `${size.toLocaleString('en')} documents`);
  const table = markdownTable(
    ['p50 / p99 in ms', fewer ?? '', more ?? '', 'Reached'],
    lists.map((list) => [
      list.name,
      latencies(list.small),
      latencies(list.large),
      yesOrNo(list.reached),
    ]),
  );
  const goals =
    `Goals for p99: ${String(P99_GOAL_MS)} ms for everything, and ${String(SMALL_FACETS_GOAL_MS)} ms ` +
    `for facets of ${fewer ?? ''}.`;
  return { text: `${goals}\n\n${table}`, data: { lists } };
}

async function measureAccount(
  documents: number,
  { postgres, folder, options, say }: BenchContext,
): Promise<Map<string, Latency>> {
  const words = `lists of ${documents.toLocaleString('en')} documents`;
  say(`${words}: filling`);
  const database = `bench_lists_${String(documents)}`;
  const service = await openService(postgres, options.variants[0], database, folder);
  const account = { accounts: 1, documents, seed: options.seed };
  const [tenant] = await makeTenants(service.databaseUrl, SERVICE_TENANTS, account);
  // Its worker adds the documents to the search index.
  const server = await service.start('all');
  say(`${words}: indexing`);
  await service.untilIndexed();
  say(`${words}: measuring`);
  const participant = { key: tenant?.key ?? '', server };
  const measured = new Map<string, Latency>();
  for (const one of await listCases(participant, documents)) {
    measured.set(one.name, await measure(participant, one, options.listRequests));
  }
  await server.stop();
  await service.drop();
  return measured;
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
