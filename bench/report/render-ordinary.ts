import type { BenchOptions } from '../options.js';
import type { OrdinaryLine } from '../results.js';
import { latencies, markdownTable, reachedWord } from './markdown-table.js';

/** Requests per second compared with the baseline, and the cost of each request. */
export function renderOrdinary(options: BenchOptions, lines: OrdinaryLine[]): string {
  const { accounts, accountDocuments, largeDocuments } = options.ordinary;
  const about =
    `${String(accounts)} accounts of ${accountDocuments.toLocaleString('en')} documents and one of ` +
    `${largeDocuments.toLocaleString('en')}; each request another account, page, document, type or search ` +
    `(seed ${String(options.seed)}); limits counted, events, logs, two webhooks an account, a worker that delivers ` +
    `meanwhile. Lists, types and searches are of the small accounts; the mix is 70 % reads, 20 % lists (every fourth ` +
    `of a type), 10 % writes (every other one a PATCH).`;
  const cost =
    'Microseconds of processor time for one request, until everything it wrote is delivered and indexed. ' +
    '`load` is what the load process itself takes.';
  return [
    `## Ordinary traffic\n\n${about}\n\n${renderRates(lines)}`,
    `### Processor time\n\n${cost}\n\n${renderCosts(lines)}`,
  ].join('\n\n');
}

function renderRates(lines: OrdinaryLine[]): string {
  const header = ['line', 'side', 'requests/s', 'baseline', 'ratio', 'goal', 'reached'];
  const rows = lines.map(({ title, service, baseline, ratio, ratioGoal }) => [
    title,
    service.participant,
    service.requestsPerSecond.toFixed(0),
    baseline.requestsPerSecond.toFixed(0),
    ratio.toFixed(2),
    ratioGoal === undefined ? '–' : `≥ ${String(ratioGoal)}`,
    reachedWord(ratioGoal === undefined ? undefined : ratio >= ratioGoal),
    latencies(service),
    latencies(baseline),
    String(service.failures + baseline.failures),
  ]);
  return markdownTable([...header, 'p50 / p99', 'baseline', 'failures'], rows);
}

function renderCosts(lines: OrdinaryLine[]): string {
  const header = ['line', 'side', 'API', 'goal', 'reached', 'PostgreSQL', 'worker', 'load'];
  const rows = lines.map(({ title, service, baseline, apiGoal }) => [
    title,
    service.participant,
    service.microseconds.api.toFixed(0),
    apiGoal === undefined ? '–' : `≤ ${String(apiGoal)}`,
    reachedWord(apiGoal === undefined ? undefined : service.microseconds.api <= apiGoal),
    service.microseconds.postgres.toFixed(0),
    service.microseconds.worker.toFixed(0),
    service.microseconds.load.toFixed(0),
    baseline.microseconds.api.toFixed(0),
    baseline.microseconds.postgres.toFixed(0),
    baseline.microseconds.load.toFixed(0),
  ]);
  return markdownTable([...header, 'baseline: Node', 'PostgreSQL', 'load'], rows);
}
