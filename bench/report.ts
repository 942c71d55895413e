import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import type { BenchOptions, ScenarioName } from './options.js';
import type { PostgresServer } from './postgres.js';
import { PROJECT_FOLDER } from './servers.js';

/** What every scenario gets. */
export interface BenchContext {
  postgres: PostgresServer;
  /** For logs and other files. Deleted at the end. */
  folder: string;
  options: BenchOptions;
  say: (words: string) => void;
  /** Receives reasons not to trust the figures, one sentence each. */
  problems: string[];
}

/** What every scenario returns. */
export interface ScenarioResult {
  /** Markdown. */
  text: string;
  /** Everything that was measured, for the JSON report. */
  data: object;
}

/** A measured load on one side. */
export interface Leg {
  requestsPerSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Microseconds of CPU time per request. */
  node: number;
  postgres: number;
  worker: number;
  /** Peak of the server in MB. */
  memory: number;
}

/** One side of a comparison, with medians of its rounds and the peak of memory. */
export interface Measurement extends Leg {
  label: string;
  rounds: Leg[];
}

/** A figure with its goal. */
export interface Figure {
  name: string;
  /** The build of the service, if there are several. */
  side?: string;
  value: number;
  unit: string;
  goal: number;
  /** True if the goal is a minimum. */
  atLeast?: boolean;
}

/** Returns a Markdown table with aligned columns, which is readable in a terminal and on a page. */
export function markdownTable(header: string[], rows: string[][]): string {
  const widths = header.map((_, column) =>
    Math.max(3, ...[header, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join(
    '\n',
  );
}

export function figureTable(figures: readonly Figure[]): string {
  const show = (value: number): string => value.toFixed(value < 10 ? 2 : 0);
  const rows = figures.map(({ name, side, value, unit, goal, atLeast }) => [
    side === undefined ? name : `${name}, ${side}`,
    `${show(value)} ${unit}`,
    `${atLeast ? '≥' : '≤'} ${String(goal)} ${unit}`,
    yesOrNo(atLeast ? value >= goal : value <= goal),
  ]);
  return markdownTable(['Figure', 'Value', 'Goal', 'Reached'], rows);
}

export function yesOrNo(reached: boolean | undefined): string {
  if (reached === undefined) return '–';
  return reached ? 'yes' : 'NO';
}

/** Returns p50 and p99 for one cell. */
export function latencies({ p50, p99 }: { p50: number; p99: number }): string {
  return `${p50.toFixed(1)} / ${p99.toFixed(1)}`;
}

/** Writes bench/reports/latest.json and .md, and replaces the sections of bench/README.md if asked to. */
export async function writeReport(
  { postgres, options, problems }: BenchContext,
  results: ReadonlyMap<ScenarioName, ScenarioResult>,
): Promise<string> {
  const about =
    `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, commit ${commit()}: ` +
    `${String(os.cpus().length)} cores (${os.cpus()[0]?.model ?? 'unknown'}), load average at the end ` +
    `${(os.loadavg()[0] ?? NaN).toFixed(1)}, Node ${process.version}, PostgreSQL ${postgres.version} with durable ` +
    `commits, rounds × length: ${String(options.rounds)} × ${String(options.seconds)} s.`;
  const invalid =
    problems.length === 0
      ? ''
      : `**This run is invalid. Do not use its figures.**\n\n${problems.map((problem) => `- ${problem}`).join('\n')}\n`;
  const sections = [...results].map(([name, { text }]) => `## ${name}\n\n${text}\n`);
  const report = [`# Benchmark\n\n${about}\n`, invalid, ...sections].filter(Boolean).join('\n');
  const folder = path.join(PROJECT_FOLDER, 'bench', 'reports');
  mkdirSync(folder, { recursive: true });
  const data = Object.fromEntries([...results].map(([name, result]) => [name, result.data]));
  const record = { about, options, problems, ...data };
  writeFileSync(path.join(folder, 'latest.json'), `${JSON.stringify(record, null, 2)}\n`);
  writeFileSync(path.join(folder, 'latest.md'), report);
  if (options.readme && problems.length === 0) {
    for (const [name, { text }] of results) await replaceInReadme(name, `${about}\n\n${text}`);
  }
  return report;
}

/** Replaces what is between `<!-- name -->` and `<!-- end of name -->`. */
async function replaceInReadme(name: ScenarioName, text: string): Promise<void> {
  const file = path.join(PROJECT_FOLDER, 'bench', 'README.md');
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [before, rest] = readFileSync(file, 'utf8').split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) {
    throw new Error(`bench/README.md has no ${start} … ${end}. Add them where the results belong.`);
  }
  const page = `${before}${start}\n\n${text}\n\n${end}${after}`;
  writeFileSync(file, await format(page, { ...(await resolveConfig(file)), filepath: file }));
}

/** Returns the short hash, with `+changes` if the working tree differs from it. */
function commit(): string {
  const args = ['describe', '--always', '--dirty=+changes', '--exclude=*'];
  const { stdout } = spawnSync('git', args, { cwd: PROJECT_FOLDER, encoding: 'utf8' });
  return stdout.trim() || 'unknown';
}
