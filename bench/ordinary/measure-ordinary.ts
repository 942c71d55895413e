import { checkBurdens } from '../answers.js';
import { LoadProcess } from '../load/load-process.js';
import type { VariedResult } from '../load/messages.js';
import { countFailures } from '../load/messages.js';
import { withPeakMemory } from '../memory.js';
import type { BenchOptions } from '../options.js';
import { callApi } from '../participant.js';
import type { PostgresServer } from '../postgres.js';
import { processorSeconds, siblingsSeconds } from '../processor-time.js';
import type { BenchResults, OrdinaryLine, OrdinaryMeasurement } from '../results.js';
import { limitFigure } from '../results.js';
import { median } from '../statistics.js';
import type { OrdinaryBed, Side } from './ordinary-bed.js';
import { openOrdinaryBed } from './ordinary-bed.js';
import { Draw } from './texts.js';
import type { LineName } from './traffic.js';
import { LINE_NAMES } from './traffic.js';

const CONNECTIONS = 32;
const COMPARED_SEARCHES = 30;
/** Each leg uses a different seed. These separate the seeds of rounds and warm-ups. */
const SEEDS_A_ROUND = 2;
const SEEDS_A_RUN = 1_000;
/** Processes that have just started are warmed up this many times as long. */
const WARM_UPS = 10;

interface Goals {
  /** Minimum requests/s, as a share of the baseline's. */
  ratio?: number;
  /** Maximum microseconds of CPU time of the API per request. */
  api?: number;
}

/** In the order in which they run. Creates come last, because totals are exact until then. */
const LINES: Readonly<Record<LineName, { title: string } & Goals>> = {
  read: { title: 'read', ratio: 0.85, api: 190 },
  list: { title: 'list', ratio: 1, api: 450 },
  'large-list': { title: 'list of the large account', ratio: 10, api: 450 },
  filter: { title: 'list of one type', ratio: 0.9, api: 500 },
  search: { title: 'search, two words', ratio: 0.7 },
  create: { title: 'create', ratio: 0.65, api: 330 },
  change: { title: 'PATCH of title and content' },
  mix: { title: 'mix', ratio: 0.9 },
};
/** With the mix: MB of the API, p99 divided by p50, and CPU time of two API processes divided by that of one. */
const MIX_GOALS = { memory: 160, p99: 3, twoProcesses: 1.15 };

/** One measured load on one side. */
interface Leg {
  result: VariedResult;
  /** Microseconds of CPU time per request. */
  microseconds: OrdinaryMeasurement['microseconds'];
  /** MB of the largest API process. */
  memory: number;
}

/** Adds the lines of ordinary traffic and the figures of the mix to `results`. */
export async function measureOrdinary(
  setting: { postgres: PostgresServer; folder: string; options: BenchOptions },
  results: BenchResults,
  say: (words: string) => void,
): Promise<void> {
  const { options } = setting;
  say('ordinary traffic: filling');
  const bed = await openOrdinaryBed(setting);
  const load = new LoadProcess();
  try {
    results.problems.push(...(await compareSearches(bed, options)));
    const run: LineSetting = { bed, load, options, problems: results.problems };
    for (const side of [...bed.services, bed.baseline]) await warmUp('read', side, run);
    for (const name of LINE_NAMES) {
      say(`ordinary traffic: ${LINES[name].title}`);
      const second = name === 'mix' && !options.baselineTwice ? [await bed.startSecondApi()] : [];
      for (const side of second) {
        await warmUp('mix', { ...side, servers: side.servers.slice(-1) }, run);
      }
      const legs = await measureLine(name, [...bed.services, bed.baseline, ...second], run);
      const baseline = summarize(bed.baseline, legs);
      const goals = options.baselineTwice ? {} : LINES[name];
      for (const side of bed.services) {
        const line = compareWith(baseline, summarize(side, legs), goals);
        results.ordinary.push({ name, title: LINES[name].title, ...line });
      }
      if (name === 'mix' && !options.baselineTwice) addMixFigures(bed, second, legs, results);
    }
    if (!options.baselineTwice) results.problems.push(...(await checkServices(bed)));
  } finally {
    await load.stop();
    await bed.close();
  }
}

/** Makes new processes handle requests until V8 has compiled their code, as in a server that has run for a while. */
async function warmUp(line: LineName, side: Side, setting: LineSetting): Promise<void> {
  const { seed, warmUpSeconds } = setting.options;
  await shoot(line, side, setting, {
    seed: seed * SEEDS_A_RUN - 1,
    seconds: WARM_UPS * warmUpSeconds,
  });
}

interface LineSetting {
  bed: OrdinaryBed;
  load: LoadProcess;
  options: BenchOptions;
  problems: string[];
}

/** Measures all sides in turn, round by round, every other round backwards. */
async function measureLine(
  line: LineName,
  sides: readonly Side[],
  setting: LineSetting,
): Promise<Map<Side, Leg[]>> {
  const { options, problems } = setting;
  const legs = new Map(sides.map((side): [Side, Leg[]] => [side, []]));
  for (let round = 0; round < options.rounds; round += 1) {
    const firstSeed = options.seed * SEEDS_A_RUN + round * SEEDS_A_ROUND;
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      await shoot(line, side, setting, { seed: firstSeed, seconds: options.warmUpSeconds });
      const leg = await shoot(line, side, setting, {
        seed: firstSeed + 1,
        seconds: options.seconds,
      });
      legs.get(side)?.push(leg);
      const where = `${side.label}, ${LINES[line].title}`;
      problems.push(...leg.result.faults.map((fault) => `${where}: ${fault}`));
      for (const server of side.servers) server.emptyLog();
    }
  }
  return legs;
}

/** CPU time counts until everything written is delivered and indexed. */
async function shoot(
  line: LineName,
  { servers, tenantsFile, background }: Side,
  { bed, load }: LineSetting,
  { seed, seconds }: { seed: number; seconds: number },
): Promise<Leg> {
  const used = () => ({
    api: sum(servers.map(({ pid }) => processorSeconds(pid))),
    postgres: siblingsSeconds(bed.databasePid),
    worker: background ? processorSeconds(background.worker.pid) : 0,
  });
  await background?.begin();
  const before = used();
  const { result, peaks } = await withPeaks(servers, () =>
    load.run({
      kind: 'varied',
      origins: servers.map(({ origin }) => origin),
      tenants: tenantsFile,
      line,
      seed,
      connections: CONNECTIONS,
      seconds,
    }),
  );
  await background?.settled(result.writes).catch((reason: unknown) => {
    result.faults.push(reason instanceof Error ? reason.message : String(reason));
  });
  const after = used();
  const requests = sum(Object.values(result.statuses));
  const each = (secondsUsed: number): number => (secondsUsed * 1e6) / requests;
  return {
    result,
    memory: Math.max(...peaks),
    microseconds: {
      api: each(after.api - before.api),
      postgres: each(after.postgres - before.postgres),
      worker: each(after.worker - before.worker),
      load: each(result.processorSeconds),
    },
  };
}

/** Like {@link withPeakMemory}, for several processes. */
async function withPeaks<T>(
  [server, ...others]: Side['servers'],
  work: () => Promise<T>,
): Promise<{ result: T; peaks: number[] }> {
  if (server === undefined) return { result: await work(), peaks: [] };
  const { result, peak } = await withPeakMemory(server.pid, () => withPeaks(others, work));
  return { result: result.result, peaks: [peak, ...result.peaks] };
}

function summarize(side: Side, legs: Map<Side, Leg[]>): OrdinaryMeasurement {
  const rounds = legs.get(side) ?? [];
  const middle = (figure: (leg: Leg) => number): number => median(rounds.map(figure));
  return {
    participant: side.label,
    requestsPerSecond: middle(({ result }) => result.requestsPerSecond),
    p50: middle(({ result }) => result.p50),
    p99: middle(({ result }) => result.p99),
    microseconds: {
      api: middle(({ microseconds }) => microseconds.api),
      postgres: middle(({ microseconds }) => microseconds.postgres),
      worker: middle(({ microseconds }) => microseconds.worker),
      load: middle(({ microseconds }) => microseconds.load),
    },
    failures: sum(rounds.map(({ result }) => countFailures(result))),
  };
}

function compareWith(
  baseline: OrdinaryMeasurement,
  service: OrdinaryMeasurement,
  goals: Goals,
): Omit<OrdinaryLine, 'name' | 'title'> {
  const ratio = service.requestsPerSecond / baseline.requestsPerSecond;
  return {
    service,
    baseline,
    ratio,
    ratioGoal: goals.ratio,
    apiGoal: goals.api,
  };
}

function addMixFigures(
  { services }: OrdinaryBed,
  [two]: readonly Side[],
  legs: Map<Side, Leg[]>,
  { figures }: BenchResults,
): void {
  for (const side of services) {
    const { participant, p50, p99 } = summarize(side, legs);
    const memory = Math.max(...(legs.get(side) ?? []).map((leg) => leg.memory));
    const name = 'memory of the API under the mix';
    figures.push(
      limitFigure({ name, participant, value: memory, unit: 'MB', goal: MIX_GOALS.memory }),
      limitFigure({
        name: 'p99 of the mix in its p50',
        participant,
        value: p99 / p50,
        unit: '×',
        goal: MIX_GOALS.p99,
      }),
    );
  }
  const [one] = services;
  if (one === undefined || two === undefined) return;
  const [alone, both] = [allOf(summarize(one, legs)), allOf(summarize(two, legs))];
  figures.push(
    limitFigure({
      name:
        `processor time for a request of the mix by two API processes ` +
        `(${both.toFixed(0)} µs of API, PostgreSQL and worker, beside ${alone.toFixed(0)})`,
      participant: 'service',
      value: both / alone,
      unit: '×',
      goal: MIX_GOALS.twoProcesses,
    }),
  );
}

function allOf({ microseconds: { api, postgres, worker } }: OrdinaryMeasurement): number {
  return api + postgres + worker;
}

/** Runs the same searches on both sides. They must find the same documents, or one side has less to do. */
async function compareSearches(
  { services, baseline }: OrdinaryBed,
  { seed }: BenchOptions,
): Promise<string[]> {
  const problems: string[] = [];
  const draw = new Draw(seed);
  for (let n = 0; n < COMPARED_SEARCHES; n += 1) {
    const tenant = draw.below(baseline.tenants.length);
    const path = `/v1/documents?q=${draw.word()}+${draw.word()}`;
    const expected = await totalOf(baseline, tenant, path);
    for (const service of services) {
      const total = await totalOf(service, tenant, path);
      if (total === expected) continue;
      const words = `${path} finds ${String(total)} documents, not ${String(expected)}.`;
      problems.push(`${service.label}: ${words}`);
    }
  }
  return problems;
}

async function totalOf(
  { label, servers, tenants }: Side,
  tenant: number,
  path: string,
): Promise<number | undefined> {
  const [server] = servers;
  const key = tenants[tenant]?.key ?? '';
  if (server === undefined) return undefined;
  const { envelope } = await callApi({ label, key, server }, path);
  return envelope.meta?.pagination?.total;
}

async function checkServices({ services }: OrdinaryBed): Promise<string[]> {
  const problems: string[] = [];
  for (const { label, servers, tenants } of services) {
    const [[server], [tenant]] = [servers, tenants];
    if (server === undefined || tenant === undefined) continue;
    problems.push(...(await checkBurdens({ label, key: tenant.key, server })));
  }
  return problems;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
