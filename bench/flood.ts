import { measure, warmUp, withLoad } from './ordinary/measure.js';
import { openSide } from './ordinary/sides.js';
import { figureTable } from './report.js';
import type { BenchContext, ScenarioResult } from './results.js';

/** p99 of good clients during the flood, divided by their p99 without it. */
const GOAL = 2;

const GOOD = { line: 'read' as const, connections: 8, perSecond: 400 };
const FLOOD = { line: 'bad-key' as const, connections: 50, perSecond: 1_000 };

/** Good clients read documents at a moderate rate, alternately alone and during a flood of bad keys. */
export async function measureFlood(context: BenchContext): Promise<ScenarioResult> {
  const { options, say } = context;
  say('good clients during a flood of bad keys');
  const bed = { ...context, accounts: 1, documents: 1_000, seed: options.seed };
  const side = await openSide(bed, options.variants[0], 'bench_flood');
  const rounds = await withLoad(context, async (run) => {
    await warmUp([side], run);
    const good = { side, ...GOOD };
    return measure([good, { ...good, beside: FLOOD }], run);
  });
  await side.close();
  const [alone = NaN, beside = NaN] = rounds.map(({ p99 }) => p99);
  const name =
    `p99 of good clients beside a flood of bad keys (${beside.toFixed(1)} ms), ` +
    `compared with that without it (${alone.toFixed(1)} ms)`;
  const figures = [{ name, value: beside / alone, unit: '×', goal: GOAL }];
  return { text: figureTable(figures), data: { figures, rounds } };
}
