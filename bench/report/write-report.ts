import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { MachineFacts } from '../machine.js';
import { PROJECT_FOLDER } from '../node-process.js';
import type { BenchOptions } from '../options.js';
import type { BenchResults } from '../results.js';
import { renderReport } from './render-report.js';

/** Writes bench/reports/<name>.json and .md. Returns the Markdown. */
export function writeReport(
  machine: MachineFacts,
  options: BenchOptions,
  results: BenchResults,
): string {
  const folder = path.join(PROJECT_FOLDER, 'bench', 'reports');
  mkdirSync(folder, { recursive: true });
  const { rounds, seconds, warmUpSeconds, seed, ordinary, sizes, listSizes, env } = options;
  const valid = results.problems.length === 0;
  const run = { rounds, seconds, warmUpSeconds, seed, ordinary, sizes, listSizes, env };
  const record = { valid, machine, run, ...results };
  const markdown = renderReport(machine, options, results);
  writeFileSync(
    path.join(folder, `${options.report}.json`),
    `${JSON.stringify(record, null, 2)}\n`,
  );
  writeFileSync(path.join(folder, `${options.report}.md`), markdown);
  return markdown;
}
