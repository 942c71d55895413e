import { figureTable, markdownTable } from '../report.js';
import type { BenchContext, Figure, Measurement, ScenarioResult } from '../results.js';
import { measureLine, warmUp, withLoad } from './measure.js';
import type { Side } from './sides.js';
import { openSide } from './sides.js';
import type { LineName } from './traffic.js';
import { LINE_NAMES } from './traffic.js';

/** The nth tenant gets 1/n^1.1 times as many requests as the first. */
const SKEW = 1.1;
const GOALS = { cost: 1.2, p99: 2 };

/**
 * Compares many small tenants of very different activity with the accounts of ordinary traffic, on the same build. The
 * other lines than the mix are measured only if asked for.
 */
export async function measureTenants(context: BenchContext): Promise<ScenarioResult> {
  const { options, say } = context;
  const { accounts, accountDocuments, tenants, tenantDocuments, seed } = options;
  const lines: LineName[] = options.lines.length === LINE_NAMES.length ? ['mix'] : options.lines;
  const results: { line: LineName; few: Measurement; many: Measurement }[] = [];
  for (const [index, variant] of options.variants.entries()) {
    say(`tenants, ${variant.label}: filling`);
    const few = await openSide(
      { ...context, accounts, documents: accountDocuments, seed },
      { ...variant, label: `${String(accounts)} accounts, ${variant.label}` },
      `bench_few_${String(index)}`,
    );
    const many: Side = {
      ...(await openSide(
        { ...context, accounts: tenants, documents: tenantDocuments, seed },
        { ...variant, label: `${String(tenants)} accounts, ${variant.label}` },
        `bench_many_${String(index)}`,
      )),
      choice: { skew: SKEW },
    };
    await withLoad(context, async (run) => {
      await warmUp([few, many], run);
      for (const line of lines) {
        say(`tenants, ${variant.label}: ${line}`);
        const [ofFew, ofMany] = await measureLine({ line }, [few, many], run);
        if (ofFew && ofMany) results.push({ line, few: ofFew, many: ofMany });
      }
    });
    await few.close();
    await many.close();
  }
  const header = [
    'Line',
    'Accounts',
    'Requests/s',
    'p50',
    'p99',
    'p99 of the smallest 90 %',
    'Memory',
  ];
  const rows = results.flatMap(({ line, few, many }) =>
    [few, many].map((side) => [line, ...cells(side)]),
  );
  const figures = results.flatMap(({ line, few, many }) => figuresOf(line, few, many));
  const costs = 'CPU time in µs: Node + PostgreSQL + worker';
  const table = markdownTable([...header, costs], rows);
  return { text: `${table}\n\n${figureTable(figures)}`, data: { results, figures } };
}

function cells(side: Measurement): string[] {
  const { node, postgres, worker } = side.microseconds;
  return [
    side.label,
    side.requestsPerSecond.toFixed(0),
    side.p50.toFixed(1),
    side.p99.toFixed(1),
    side.p99OfSmall.toFixed(1),
    `${side.memory.toFixed(0)} MB`,
    `${node.toFixed(0)} + ${postgres.toFixed(0)} + ${worker.toFixed(0)}`,
  ];
}

function figuresOf(line: LineName, few: Measurement, many: Measurement): Figure[] {
  const cost = ({ microseconds: { node, postgres, worker } }: Measurement): number =>
    node + postgres + worker;
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
