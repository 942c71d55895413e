import { LoadProcess } from '../load/load-process.js';
import { countFailures } from '../load/messages.js';
import { withPeakMemory } from '../memory.js';
import { processorSeconds, sum } from '../processor-time.js';
import type { BenchContext, Leg, Measurement } from '../results.js';
import { median } from '../statistics.js';
import type { Side } from './sides.js';
import type { Choice, LineName } from './traffic.js';

/** Each leg uses a different seed. These separate the seeds of rounds and runs. */
const SEEDS_A_ROUND = 2;
const SEEDS_A_RUN = 1_000;
/** V8 compiles for about this long, which a running server has done long ago. */
const FIRST_WARM_UP_SECONDS = 15;

/** The load processes of a run. The second one loads beside the first. */
export interface Run extends BenchContext {
  load: LoadProcess;
  secondLoad: LoadProcess;
}

/** Runs `work` with load processes, and stops them. */
export async function withLoad<T>(
  context: BenchContext,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  const [load, secondLoad] = [new LoadProcess(), new LoadProcess()];
  try {
    return await work({ ...context, load, secondLoad });
  } finally {
    await load.stop();
    await secondLoad.stop();
  }
}

interface Load {
  line: LineName;
  connections?: number;
  choice?: Choice;
}

interface Shot extends Load {
  seed: number;
  seconds: number;
  /** Runs meanwhile, and does not count as requests. */
  beside?: Load;
}

/** Makes new processes handle requests until V8 has compiled their code. */
export async function warmUp(sides: readonly Side[], run: Run): Promise<void> {
  const { seed, rounds, seconds } = run.options;
  // A run that is only meant to work needs no warm processes.
  const length = rounds > 1 ? FIRST_WARM_UP_SECONDS : seconds;
  for (const side of sides) {
    for (const line of ['read', 'list', 'search'] as const) {
      await shoot(side, run, { line, seed: seed * SEEDS_A_RUN - 1, seconds: length / 3 });
    }
  }
}

/**
 * Loads all sides in turn, round by round, every other round backwards. Returns one measurement for each side, in the
 * order of `sides`.
 */
export async function measureLine(
  load: Load & Pick<Shot, 'beside'>,
  sides: readonly Side[],
  run: Run,
): Promise<Measurement[]> {
  const { options } = run;
  const legs = new Map(sides.map((side): [Side, Leg[]] => [side, []]));
  for (let round = 0; round < options.rounds; round += 1) {
    const seed = options.seed * SEEDS_A_RUN + round * SEEDS_A_ROUND;
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      await shoot(side, run, { ...load, seed, seconds: options.warmUpSeconds });
      const shot = { ...load, seed: seed + 1, seconds: options.seconds };
      const leg = await shoot(side, run, shot);
      legs.get(side)?.push(leg);
      side.server.emptyLog();
    }
  }
  return [...legs].map(([{ label }, ofSide]) => summarize(label, ofSide));
}

/** CPU time counts until everything written is delivered and indexed. */
async function shoot(side: Side, run: Run, { beside, ...shot }: Shot): Promise<Leg> {
  const { postgres, load, secondLoad, options, problems } = run;
  const { server, background } = side;
  const target = {
    kind: 'varied' as const,
    origin: server.origin,
    tenants: side.tenantsFile,
    choice: side.choice,
    connections: options.connections,
  };
  const meanwhile = beside && secondLoad.run({ ...target, ...shot, ...beside });
  const meter = await postgres.meter(side.databaseUrl);
  const processes = [server.pid, background?.worker.pid ?? 0];
  const before = processes.map(processorSeconds);
  const { result, peak } = await withPeakMemory(server.pid, () => load.run({ ...target, ...shot }));
  const faults = [...result.faults, ...((await meanwhile)?.faults ?? [])];
  await background?.settled(result.writes).catch((reason: unknown) => {
    faults.push(reason instanceof Error ? reason.message : String(reason));
  });
  problems.push(...faults.map((fault) => `${side.label}, ${shot.line}: ${fault}`));
  const requests = sum(Object.values(result.statuses));
  const each = (secondsUsed: number): number => (secondsUsed * 1e6) / requests;
  const [node = 0, worker = 0] = processes.map(
    (pid, index) => processorSeconds(pid) - (before[index] ?? 0),
  );
  const { requestsPerSecond, p50, p99, p99OfSmall } = result;
  return {
    requestsPerSecond,
    p50,
    p99,
    p99OfSmall,
    memory: peak,
    microseconds: {
      node: each(node),
      postgres: each(await meter()),
      worker: background ? each(worker) : 0,
      load: each(result.processorSeconds),
    },
    failures: countFailures(result),
  };
}

function summarize(label: string, rounds: Leg[]): Measurement {
  const middle = (figure: (leg: Leg) => number): number => median(rounds.map(figure));
  return {
    label,
    requestsPerSecond: middle((leg) => leg.requestsPerSecond),
    p50: middle((leg) => leg.p50),
    p99: middle((leg) => leg.p99),
    p99OfSmall: middle((leg) => leg.p99OfSmall),
    microseconds: {
      node: middle(({ microseconds }) => microseconds.node),
      postgres: middle(({ microseconds }) => microseconds.postgres),
      worker: middle(({ microseconds }) => microseconds.worker),
      load: middle(({ microseconds }) => microseconds.load),
    },
    memory: Math.max(...rounds.map(({ memory }) => memory)),
    failures: sum(rounds.map(({ failures }) => failures)),
    rounds,
  };
}
