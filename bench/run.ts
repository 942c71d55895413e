/** `npm run bench`: loads the service and its baseline in turn, on one PostgreSQL. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { measureDeliveries } from './deliveries/measure-deliveries.js';
import { measureSlowReceivers } from './deliveries/measure-slow-receivers.js';
import { measureLists } from './lists/measure-lists.js';
import { LoadProcess } from './load/load-process.js';
import { describeMachine } from './machine.js';
import { measureSize } from './measure-size.js';
import { NodeProcess, PROJECT_FOLDER } from './node-process.js';
import type { BenchOptions } from './options.js';
import { readOptions, USAGE } from './options.js';
import { measureOrdinary } from './ordinary/measure-ordinary.js';
import type { PostgresServer } from './postgres.js';
import { startPostgres } from './postgres.js';
import { writeReport } from './report/write-report.js';
import type { BenchResults } from './results.js';
import { limitFigure } from './results.js';
import { SCENARIOS } from './scenarios.js';
import { measureStartUp } from './start-up.js';
import { openTestBed } from './test-bed.js';

const MEMORY_GOAL_MB = 200;

async function main(options: BenchOptions): Promise<void> {
  if (!options.baselineTwice && !existsSync(path.join(PROJECT_FOLDER, 'dist', 'main.js'))) {
    throw new Error('The service is not built. Run `npm run build` first.');
  }
  const parent = path.join(PROJECT_FOLDER, '.tmp');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(path.join(parent, 'bench-'));
  let postgres: PostgresServer | undefined;
  const cleanUp = async (): Promise<void> => {
    await NodeProcess.stopAll();
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cleanUp().finally(() => process.exit(130)));
  }
  try {
    postgres = await startPostgres(path.join(folder, 'database'), options.postgres);
    const results = await measure(postgres, folder, options);
    console.log(`\n${writeReport(describeMachine(postgres.version), options, results)}`);
    if (results.problems.length > 0) process.exitCode = 1;
  } finally {
    await cleanUp();
  }
}

async function measure(
  postgres: PostgresServer,
  folder: string,
  options: BenchOptions,
): Promise<BenchResults> {
  const results: BenchResults = {
    ordinary: [],
    comparisons: [],
    figures: [],
    floods: [],
    lists: [],
    problems: [],
  };
  if (options.scenarios.includes('ordinary')) {
    await measureOrdinary({ postgres, folder, options }, results, say);
  }
  await measureSizes(postgres, folder, options, results);
  if (options.scenarios.includes('deliveries') && !options.baselineTwice) {
    results.figures.push(...(await measureDeliveries(postgres, folder, options, say)));
    say('deliveries: workers to slow receivers');
    results.figures.push(await measureSlowReceivers(postgres, folder, options));
  }
  if (options.scenarios.includes('start-up') && !options.baselineTwice) {
    say('start with an existing data folder');
    results.figures.push(...(await measureStartUp(folder, options)));
  }
  // Runs last, because PostgreSQL's work after so many rows would slow down other scenarios.
  if (options.scenarios.includes('lists') && !options.baselineTwice) {
    results.lists = await measureLists(postgres, folder, options, say);
  }
  return results;
}

async function measureSizes(
  postgres: PostgresServer,
  folder: string,
  options: BenchOptions,
  results: BenchResults,
): Promise<void> {
  const withFlood = options.scenarios.includes('flood');
  const withComparisons = SCENARIOS.some(({ name }) => options.scenarios.includes(name));
  // The flood alone needs one account; the start needs none.
  const sizes = options.sizes.slice(0, withComparisons ? undefined : Number(withFlood));
  const peaks = new Map<string, number>();
  const load = new LoadProcess();
  try {
    for (const [index, documents] of sizes.entries()) {
      say(`${documents.toLocaleString('en')} documents: filling`);
      const bed = await openTestBed(postgres, documents, folder, options);
      const run = { documents, bed, load, options, peaks, say };
      await measureSize({ ...run, withFlood: withFlood && index === 0 }, results);
      await bed.close();
    }
  } finally {
    await load.stop();
  }
  if (options.baselineTwice) return;
  peaks.delete('baseline');
  for (const [participant, value] of peaks) {
    const figure = { name: 'memory under load', participant, value, unit: 'MB' };
    results.figures.push(limitFigure({ ...figure, goal: MEMORY_GOAL_MB }));
  }
}

function say(words: string): void {
  console.log(`${new Date().toTimeString().slice(0, 8)} ${words}`);
}

try {
  const args = process.argv.slice(2);
  if (args.includes('--help')) console.log(USAGE);
  else await main(readOptions(args));
} catch (reason) {
  console.error(reason instanceof Error ? reason.message : reason);
  process.exitCode = 1;
}
