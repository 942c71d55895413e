import { latencies, markdownTable, yesOrNo, type Measurement } from '../report.js';

/** A line of ordinary traffic: the baseline and the builds of the service. */
export interface OrdinaryLine {
  title: string;
  baseline: Measurement;
  services: Measurement[];
  /** Minimum requests/s, divided by those of the baseline. */
  ratio?: number;
  /** Maximum CPU time of Node and PostgreSQL, divided by that of the baseline. */
  both?: number;
}

/** Returns a table of requests per second, and one of CPU time, with one row for each line and build. */
export function renderOrdinary(lines: readonly OrdinaryLine[]): string {
  if (lines.length === 0) return '';
  const rows = lines.flatMap((line) => line.services.map((service) => ({ ...line, service })));
  const rates = rows.map(({ title, service, baseline, services, ratio: goal }) => {
    const ratio = service.requestsPerSecond / baseline.requestsPerSecond;
    return [
      nameOf(title, service, services),
      service.requestsPerSecond.toFixed(0),
      baseline.requestsPerSecond.toFixed(0),
      ...withGoal(ratio, goal, '≥'),
      latencies(service),
      latencies(baseline),
    ];
  });
  const costs = rows.map(({ title, service, baseline, services, both: goal }) => [
    nameOf(title, service, services),
    costOf(service),
    costOf(baseline),
    ...withGoal(both(service) / both(baseline), goal, '≤'),
    ...(services.length > 1 ? [changeOf(service, services[0] ?? service)] : []),
  ]);
  const several = (lines[0]?.services.length ?? 0) > 1;
  const header = ['Service', 'Baseline', 'Ratio', 'Goal', 'Reached'];
  const costHeader = ['CPU time', 'Service', 'Baseline', 'Both', 'Goal', 'Reached'];
  return [
    markdownTable(['Requests/s', ...header, 'p50 / p99 in ms', 'Baseline'], rates),
    'Microseconds of CPU time per request: Node + PostgreSQL + worker, if it has any.',
    markdownTable(several ? [...costHeader, 'Compared with `service`'] : costHeader, costs),
    '',
  ].join('\n\n');
}

function nameOf(title: string, { label }: Measurement, services: readonly Measurement[]): string {
  return services.length > 1 ? `${title}, ${label}` : title;
}

function withGoal(value: number, goal: number | undefined, sign: '≥' | '≤'): string[] {
  if (goal === undefined) return [value.toFixed(2), '–', '–'];
  const reached = sign === '≥' ? value >= goal : value <= goal;
  return [value.toFixed(2), `${sign} ${goal.toFixed(2)}`, yesOrNo(reached)];
}

/** Node and PostgreSQL together. */
function both({ node, postgres }: Measurement): number {
  return node + postgres;
}

function costOf({ node, postgres, worker }: Measurement): string {
  const parts = [node, postgres, ...(Math.round(worker) > 0 ? [worker] : [])];
  return parts.map((part) => part.toFixed(0)).join(' + ');
}

/** Returns the changes of Node's and PostgreSQL's CPU time, in percent. */
function changeOf(one: Measurement, other: Measurement): string {
  const percent = (value: number): string =>
    `${value < 1 ? '−' : '+'}${Math.abs(value * 100 - 100).toFixed(0)} %`;
  return `Node ${percent(one.node / other.node)}, PostgreSQL ${percent(one.postgres / other.postgres)}`;
}
