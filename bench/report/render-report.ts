import { countFailures } from '../load/messages.js';
import type { MachineFacts } from '../machine.js';
import type { BenchOptions } from '../options.js';
import { P99_GOAL_MS, RATIO_GOAL } from '../lists/measure-lists.js';
import type { BenchResults, Comparison, Figure, FloodResult, ListLatencies } from '../results.js';
import { latencies, markdownTable, reachedWord } from './markdown-table.js';
import { renderOrdinary } from './render-ordinary.js';

/** The whole report as Markdown. */
export function renderReport(
  machine: MachineFacts,
  options: BenchOptions,
  results: BenchResults,
): string {
  const sections = ['# Benchmark', describeRun(machine, options)];
  if (results.problems.length > 0) {
    const problems = results.problems.map((problem) => `- ${problem}`).join('\n');
    sections.push(`**This run is invalid: do not use its figures.**\n\n${problems}`);
  }
  if (results.ordinary.length > 0) sections.push(renderOrdinary(options, results.ordinary));
  if (results.comparisons.length > 0) sections.push(renderComparisons(results.comparisons));
  if (results.floods.length > 0) sections.push(renderFloods(results.floods));
  if (results.lists.length > 0) sections.push(renderLists(options, results.lists));
  if (results.figures.length > 0) sections.push(renderFigures(results.figures));
  return `${sections.join('\n\n')}\n`;
}

function describeRun(machine: MachineFacts, options: BenchOptions): string {
  const env = Object.entries(options.env).map(([name, value]) => `${name}=${value}`);
  return [
    `- ${machine.date}, commit ${machine.commit}`,
    `- ${String(machine.cores)} cores (${machine.processor}), ${String(machine.memory)} GB, Node ${machine.node}, ` +
      `PostgreSQL ${machine.postgres} with durable commits`,
    `- 32 connections, documents of about 2 KB; ${String(options.rounds)} interleaved rounds of ` +
      `${String(options.seconds)} s after ${String(options.warmUpSeconds)} s of warm-up; medians, latencies in ms`,
    ...(env.length > 0 ? [`- environment of the service: ${env.join(' ')}`] : []),
  ].join('\n');
}

function renderComparisons(comparisons: Comparison[]): string {
  const header = ['scenario', 'documents', 'side', 'requests/s', 'baseline', 'ratio', 'goal'];
  const rows = comparisons.map((line) => [
    line.title,
    line.documents.toLocaleString('en'),
    line.service.participant,
    line.service.requestsPerSecond.toFixed(0),
    line.baseline.requestsPerSecond.toFixed(0),
    line.ratio.toFixed(2),
    line.goal === undefined ? '–' : `≥ ${String(line.goal)}`,
    reachedWord(line.reached),
    latencies(line.service),
    latencies(line.baseline),
    String(line.service.failures + line.baseline.failures),
  ]);
  const rest = ['reached', 'p50 / p99', 'baseline', 'failures'];
  return `## Hot and deep pages of one account\n\n${markdownTable([...header, ...rest], rows)}`;
}

function renderFloods(floods: FloodResult[]): string {
  const header = [
    'side',
    'p99 alone',
    'p99 beside it',
    'bad keys/s',
    'answered 401, 429',
    'failures',
  ];
  const rows = floods.map(({ participant, alone, beside, flood }) => [
    participant,
    alone.p99.toFixed(2),
    beside.p99.toFixed(2),
    flood.requestsPerSecond.toFixed(0),
    `${String(flood.statuses['401'] ?? 0)}, ${String(flood.statuses['429'] ?? 0)}`,
    String(countFailures(alone) + countFailures(beside)),
  ]);
  return `## Good clients beside a flood of bad keys\n\n${markdownTable(header, rows)}`;
}

function renderLists({ listSizes, listRequests }: BenchOptions, lists: ListLatencies[]): string {
  const [small, large] = listSizes.map((size) => size.toLocaleString('en'));
  const header = ['list', `${small ?? ''} documents`, large ?? '', 'ratio of p50', 'reached'];
  const rows = lists.map((line) => [
    line.name,
    latencies(line.small),
    latencies(line.large),
    line.ratio.toFixed(2),
    reachedWord(line.reached),
  ]);
  const about =
    `One request at a time, ${String(listRequests)} of each; p50 / p99. Goals: p50 at most ${String(RATIO_GOAL)} × ` +
    `the small account's, p99 at most ${String(P99_GOAL_MS)} ms.`;
  return `## Lists\n\n${about}\n\n${markdownTable(header, rows)}`;
}

function renderFigures(figures: Figure[]): string {
  const header = ['figure', 'side', 'value', 'goal', 'reached'];
  const rows = figures.map(({ name, participant, value, unit, goal, atLeast, reached }) => [
    name,
    participant,
    `${value.toFixed(value < 10 ? 2 : 0)} ${unit}`.trim(),
    `${atLeast ? '≥' : '≤'} ${String(goal)} ${unit}`.trim(),
    reachedWord(reached),
  ]);
  return `## Memory and time\n\n${markdownTable(header, rows)}`;
}
