import {
  figureTable,
  type BenchContext,
  type Figure,
  type Measurement,
  type ScenarioResult,
} from '../report.js';
import { callApi } from '../servers.js';
import { measure, warmUp, withLoad, type Run } from './measure.js';
import { renderOrdinary, type OrdinaryLine } from './render-ordinary.js';
import { openBaseline, openSide, type Side } from './sides.js';
import { Draw } from './texts.js';
import { LINE_NAMES, type LineName, type RequestKind } from './traffic.js';

const COMPARED_SEARCHES = 30;
const MEMORY_GOAL_MB = 225;

/** A line with its requests and its goals. */
interface Line {
  title: string;
  line: RequestKind;
  /** True if the accounts have a webhook. */
  webhooks?: boolean;
  /** Minimum requests/s, divided by those of the baseline. */
  ratio?: number;
  /** Maximum CPU time of Node and PostgreSQL, divided by that of the baseline. */
  both?: number;
}

const LINES: Readonly<Record<LineName, Line>> = {
  read: { title: 'read', line: 'read', ratio: 0.73, both: 1.05 },
  list: { title: 'list', line: 'list', ratio: 1, both: 0.95 },
  filter: { title: 'list of one type', line: 'filter', ratio: 0.7, both: 1.3 },
  search: { title: 'search, two words', line: 'search', ratio: 0.8, both: 0.95 },
  create: { title: 'create', line: 'create', ratio: 0.8 },
  'create-webhook': { title: 'create, with a webhook', line: 'create', webhooks: true },
  change: { title: 'PATCH, with a webhook', line: 'change', webhooks: true },
  mix: { title: 'mix', line: 'mix', webhooks: true },
};

/** Measures each line on the baseline and all builds of the service. */
export async function measureOrdinary(context: BenchContext): Promise<ScenarioResult> {
  const { options, say } = context;
  say('ordinary traffic: filling');
  const { accounts, documents, seed } = options;
  const bed = { ...context, accounts, documents, seed };
  const baseline = await openBaseline(bed);
  const services: Side[] = [];
  for (const [index, variant] of options.variants.entries()) {
    services.push(await openSide(bed, variant, `bench_service_${String(index)}`));
  }
  const result = await withLoad(context, (run) => measureLines(baseline, services, run));
  for (const side of [baseline, ...services]) await side.close();
  return result;
}

async function measureLines(
  baseline: Side,
  services: readonly Side[],
  run: Run,
): Promise<ScenarioResult> {
  const { options, problems, say } = run;
  problems.push(...(await compareSearches(services, baseline, options.seed)));
  await warmUp([baseline, ...services], run);
  const lines: OrdinaryLine[] = [];
  const measured: Measurement[] = [];
  for (const name of LINE_NAMES.filter((line) => options.lines.includes(line))) {
    const { title, line, webhooks, ratio, both } = LINES[name];
    say(`ordinary traffic: ${title}`);
    if (webhooks) for (const { background } of services) await background?.listen();
    const { connections } = options;
    const plans = [baseline, ...services].map((side) => ({ side, line, connections }));
    const [first, ...others] = await measure(plans, run);
    if (first === undefined) continue;
    measured.push(...others);
    lines.push({ title, ratio, both, baseline: first, services: others });
  }
  const figures = services.map(({ label }): Figure => {
    const peaks = measured.filter((one) => one.label === label).map(({ memory }) => memory);
    const side = services.length > 1 ? label : undefined;
    const name = 'Memory of the API under load';
    return { name, side, value: Math.max(...peaks), unit: 'MB', goal: MEMORY_GOAL_MB };
  });
  return { text: `${renderOrdinary(lines)}${figureTable(figures)}`, data: { lines, figures } };
}

/** Runs the same searches on all sides. They must find the same documents, or one side has less to do. */
async function compareSearches(
  sides: readonly Side[],
  baseline: Side,
  seed: number,
): Promise<string[]> {
  const problems: string[] = [];
  const draw = new Draw(seed);
  for (let n = 0; n < COMPARED_SEARCHES; n += 1) {
    const tenant = draw.below(baseline.tenants.length);
    const path = `/v1/documents?q=${draw.word()}+${draw.word()}`;
    const totalOf = async ({ server, tenants }: Side): Promise<number | undefined> => {
      const { envelope } = await callApi({ server, key: tenants[tenant]?.key ?? '' }, path);
      return envelope.meta?.pagination?.total;
    };
    const expected = await totalOf(baseline);
    for (const side of sides) {
      const total = await totalOf(side);
      if (total === expected) continue;
      const words = `${path} finds ${String(total)} documents, not ${String(expected)}.`;
      problems.push(`${side.label}: ${words}`);
    }
  }
  return problems;
}
