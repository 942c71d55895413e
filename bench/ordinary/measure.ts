import { LoadProcess, type Load } from '../load/load-process.js';
import type { BenchContext, Leg, Measurement } from '../report.js';
import { processorSeconds, withPeakMemory } from '../resources.js';
import { median } from '../statistics.js';
import type { Side } from './sides.js';

/** Each leg uses a different seed. These separate the seeds of rounds and runs. */
const SEEDS_A_ROUND = 2;
const SEEDS_A_RUN = 1_000;
/** V8 compiles for about this long, which a running server has done long ago. */
const FIRST_WARM_UP_SECONDS = 15;
/** Before each leg. Does not count. */
const WARM_UP_SECONDS = 2;

/** A run with its load process. */
export interface Run extends BenchContext {
  load: LoadProcess;
}

/** Runs `work` with a load process, and stops it. */
export async function withLoad<T>(
  context: BenchContext,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  const load = new LoadProcess();
  try {
    return await work({ ...context, load });
  } finally {
    await load.stop();
  }
}

/** A load on a side. */
interface Plan extends Load {
  side: Side;
}

/** Makes new processes handle requests until V8 has compiled their code. */
export async function warmUp(sides: readonly Side[], run: Run): Promise<void> {
  const { seed, rounds, seconds, connections } = run.options;
  // A run that is only meant to work needs no warm processes.
  const length = rounds > 1 ? FIRST_WARM_UP_SECONDS : seconds;
  for (const side of sides) {
    for (const line of ['read', 'list', 'search'] as const) {
      await shoot({ side, line, connections }, run, seed * SEEDS_A_RUN - 1, length / 3);
    }
  }
}

/** Runs all plans in turn, round by round, every other round backwards. Returns one measurement for each. */
export async function measure(plans: readonly Plan[], run: Run): Promise<Measurement[]> {
  const { rounds, seconds, seed } = run.options;
  const legs = new Map(plans.map((plan): [Plan, Leg[]] => [plan, []]));
  for (let round = 0; round < rounds; round += 1) {
    const firstSeed = seed * SEEDS_A_RUN + round * SEEDS_A_ROUND;
    for (const plan of round % 2 === 0 ? plans : plans.toReversed()) {
      await shoot(plan, run, firstSeed, WARM_UP_SECONDS);
      legs.get(plan)?.push(await shoot(plan, run, firstSeed + 1, seconds));
      plan.side.server.emptyLog();
    }
  }
  return [...legs].map(([{ side }, ofPlan]) => summarize(side.label, ofPlan));
}

/** CPU time counts until everything written is delivered and indexed. */
async function shoot(
  { side, ...load }: Plan,
  run: Run,
  seed: number,
  seconds: number,
): Promise<Leg> {
  const { server, background } = side;
  const target = { origin: server.origin, tenants: side.tenantsFile, seed, seconds };
  const meter = await run.postgres.meter(side.databaseUrl);
  const processes = [server.pid, background?.worker.pid ?? 0];
  const before = processes.map(processorSeconds);
  const { result, peak } = await withPeakMemory(server.pid, () =>
    run.load.run({ ...target, ...load }),
  );
  const faults = [...result.faults];
  await background?.settled(result.writes).catch((reason: unknown) => {
    faults.push(reason instanceof Error ? reason.message : String(reason));
  });
  run.problems.push(...faults.map((fault) => `${side.label}, ${load.line}: ${fault}`));
  const each = (secondsUsed: number): number => (secondsUsed * 1e6) / result.requests;
  const [node = 0, worker = 0] = processes.map(
    (pid, index) => processorSeconds(pid) - (before[index] ?? 0),
  );
  return {
    requestsPerSecond: result.requestsPerSecond,
    p50: result.p50,
    p99: result.p99,
    node: each(node),
    postgres: each(await meter()),
    worker: background ? each(worker) : 0,
    memory: peak,
  };
}

function summarize(label: string, rounds: Leg[]): Measurement {
  const middle = (name: keyof Leg): number => median(rounds.map((leg) => leg[name]));
  return {
    label,
    requestsPerSecond: middle('requestsPerSecond'),
    p50: middle('p50'),
    p99: middle('p99'),
    node: middle('node'),
    postgres: middle('postgres'),
    worker: middle('worker'),
    memory: Math.max(...rounds.map(({ memory }) => memory)),
    rounds,
  };
}
