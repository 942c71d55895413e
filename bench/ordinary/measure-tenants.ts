import { figureTable, markdownTable } from '../report.js';
import type { BenchContext, Figure, Measurement, ScenarioResult } from '../results.js';
import { measure, warmUp, withLoad, type Plan } from './measure.js';
import { LINES } from './measure-ordinary.js';
import type { Side } from './sides.js';
import { openSide } from './sides.js';
import type { LineName } from './traffic.js';
import { LINE_NAMES } from './traffic.js';

/** The nth tenant gets 1/n^1.1 times as many requests as the first. */
const CHOICE = { skew: 1.1 };
const GOALS = { cost: 1.2, p99: 2 };

/**
 * Compares many small tenants of very different activity with the accounts of ordinary traffic, on the same build. Other
 * lines than the mix are measured only if asked for.
 */
export async function measureTenants(context: BenchContext): Promise<ScenarioResult> {
  const { options, say } = context;
  const { accounts, accountDocuments, tenants, tenantDocuments, connections } = options;
  const lines: LineName[] = options.lines.length === LINE_NAMES.length ? ['mix'] : options.lines;
  say('tenants: filling');
  // For each build, a side with few accounts and then one with many.
  const sides: Side[] = [];
  for (const [index, variant] of options.variants.entries()) {
    for (const [count, documents] of [
      [accounts, accountDocuments],
      [tenants, tenantDocuments],
    ] as const) {
      const bed = { ...context, accounts: count, documents, seed: options.seed };
      const label = `${String(count)} accounts, ${variant.label}`;
      const database = `bench_tenants_${String(count)}_${String(index)}`;
      sides.push(await openSide(bed, { ...variant, label }, database));
    }
  }
  const rows: string[][] = [];
  const figures: Figure[] = [];
  const results: Record<string, Measurement[]> = {};
  await withLoad(context, async (run) => {
    await warmUp(sides, run);
    for (const name of lines) {
      say(`tenants: ${LINES[name].title}`);
      const plans = sides.map((side, index): Plan => {
        const choice = index % 2 === 0 ? {} : CHOICE;
        return { choice, connections, ...LINES[name].load, side };
      });
      const measured = (results[name] = await measure(plans, run));
      rows.push(...measured.map((side) => [LINES[name].title, ...cells(side)]));
      for (let at = 0; at + 1 < measured.length; at += 2) {
        figures.push(...figuresOf(name, measured[at], measured[at + 1]));
      }
    }
  });
  for (const side of sides) await side.close();
  const header = ['Line', 'Accounts', 'Requests/s', 'p50', 'p99', 'p99 of the smallest 90 %'];
  const table = markdownTable(
    [...header, 'Memory', 'CPU time in µs: Node + PostgreSQL + worker'],
    rows,
  );
  return { text: `${table}\n\n${figureTable(figures)}`, data: { results, figures } };
}

function cells(side: Measurement): string[] {
  return [
    side.label,
    side.requestsPerSecond.toFixed(0),
    ...[side.p50, side.p99, side.p99OfSmall].map((milliseconds) => milliseconds.toFixed(1)),
    `${side.memory.toFixed(0)} MB`,
    [side.node, side.postgres, side.worker].map((cost) => cost.toFixed(0)).join(' + '),
  ];
}

function figuresOf(line: LineName, few?: Measurement, many?: Measurement): Figure[] {
  if (few === undefined || many === undefined) return [];
  const cost = ({ node, postgres, worker }: Measurement): number => node + postgres + worker;
  const name = `${line}, ${many.label}`;
  return [
    {
      name: `${name}: CPU time per request, compared with ${few.label}`,
      value: cost(many) / cost(few),
      unit: '×',
      goal: GOALS.cost,
    },
    {
      name: `${name}: p99 of the smallest 90 %, compared with p99 of all`,
      value: many.p99OfSmall / many.p99,
      unit: '×',
      goal: GOALS.p99,
    },
  ];
}
