import { figureTable } from '../report.js';
import type { BenchContext, Figure, Measurement, ScenarioResult } from '../results.js';
import { checkBurdens, compareSearches } from './check-service.js';
import type { Plan, Run } from './measure.js';
import { measure, warmUp, withLoad } from './measure.js';
import type { OrdinaryLine } from './render-ordinary.js';
import { renderOrdinary } from './render-ordinary.js';
import type { Side } from './sides.js';
import { openBaseline, openSide } from './sides.js';
import type { LineName } from './traffic.js';
import { LINE_NAMES } from './traffic.js';

/** Connections that search in one account, and those that list another. */
const SEARCHES = 64;
const LISTS = 4;

/** A line with its load (32 connections, if undefined) and its goals. */
interface Line {
  title: string;
  load: Omit<Plan, 'side' | 'connections'> & { connections?: number };
  /** True if the accounts have a webhook. */
  webhooks?: boolean;
  /** Minimum requests/s, divided by those of the baseline. */
  ratio?: number;
  /** Maximum CPU time of Node and PostgreSQL, divided by that of the baseline. */
  both?: number;
}

export const LINES: Readonly<Record<LineName, Line>> = {
  read: { title: 'read', load: { line: 'read' }, ratio: 0.73, both: 1.05 },
  list: { title: 'list', load: { line: 'list' }, ratio: 1, both: 0.95 },
  filter: { title: 'list of one type', load: { line: 'filter' }, ratio: 0.7, both: 1.3 },
  search: { title: 'search, two words', load: { line: 'search' }, ratio: 0.8, both: 0.95 },
  neighbor: {
    title: `list of one account beside ${String(SEARCHES)} searches of another`,
    load: {
      line: 'list',
      connections: LISTS,
      choice: { only: 1 },
      beside: { line: 'search', connections: SEARCHES, choice: { only: 0 } },
    },
  },
  create: { title: 'create', load: { line: 'create' }, ratio: 0.8 },
  'create-webhook': { title: 'create, with a webhook', load: { line: 'create' }, webhooks: true },
  change: { title: 'PATCH, with a webhook', load: { line: 'change' }, webhooks: true },
  mix: { title: 'mix', load: { line: 'mix' }, webhooks: true },
};

/** Measures each line on the baseline and all builds of the service. */
export async function measureOrdinary(context: BenchContext): Promise<ScenarioResult> {
  const { options, say } = context;
  const { accounts, accountDocuments: documents, seed } = options;
  say('ordinary traffic: filling');
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
  const figures: Figure[] = [];
  for (const name of LINE_NAMES.filter((line) => options.lines.includes(line))) {
    const { title, load, webhooks, ratio, both } = LINES[name];
    say(`ordinary traffic: ${title}`);
    if (webhooks) for (const { background } of services) await background?.listen();
    const plans = [baseline, ...services].map((side): Plan => {
      return { connections: options.connections, ...load, side };
    });
    const [first, ...others] = await measure(plans, run);
    if (first === undefined) continue;
    measured.push(...others);
    if (name === 'neighbor') figures.push(...neighborFigures(first, others));
    else lines.push({ title, ratio, both, baseline: first, services: others });
  }
  for (const { label } of services) {
    const peaks = measured.filter((one) => one.label === label).map(({ memory }) => memory);
    const side = services.length > 1 ? label : undefined;
    const name = 'Memory of the API under load';
    figures.push({ name, side, value: Math.max(...peaks), unit: 'MB', goal: 225 });
  }
  for (const side of services) problems.push(...(await checkBurdens(side)));
  return { text: `${renderOrdinary(lines)}${figureTable(figures)}`, data: { lines, figures } };
}

function neighborFigures(baseline: Measurement, services: readonly Measurement[]): Figure[] {
  return services.flatMap(({ label, p50, requestsPerSecond }) => {
    const side = services.length > 1 ? label : undefined;
    const name = `A ${LINES.neighbor.title}: p50 (baseline: ${baseline.p50.toFixed(0)} ms)`;
    const rate = `The same on ${String(LISTS)} connections (baseline: ${baseline.requestsPerSecond.toFixed(0)}/s)`;
    return [
      { name, side, value: p50, unit: 'ms', goal: 30 },
      { name: rate, side, value: requestsPerSecond, unit: '/s', goal: 120, atLeast: true },
    ];
  });
}
