/** `npm run bench`: loads the service and its baseline in turn, on one PostgreSQL. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { measureDeliveries } from './deliveries/measure-deliveries.js';
import type { BenchOptions, ScenarioName } from './options.js';
import { readOptions, USAGE } from './options.js';
import { measureOrdinary } from './ordinary/measure-ordinary.js';
import type { PostgresServer } from './postgres.js';
import { startPostgres } from './postgres.js';
import { writeReport, type BenchContext, type ScenarioResult } from './report.js';
import { NodeProcess, PROJECT_FOLDER } from './servers.js';
import { measureStartUp } from './start-up.js';

const SCENARIOS: Record<ScenarioName, (context: BenchContext) => Promise<ScenarioResult>> = {
  ordinary: measureOrdinary,
  deliveries: measureDeliveries,
  'start-up': measureStartUp,
};

async function main(options: BenchOptions): Promise<void> {
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
    const context: BenchContext = { postgres, folder, options, say, problems: [] };
    const results = new Map<ScenarioName, ScenarioResult>();
    for (const [name, measure] of Object.entries(SCENARIOS) as [
      ScenarioName,
      typeof measureOrdinary,
    ][]) {
      if (options.scenarios.includes(name)) results.set(name, await measure(context));
    }
    console.log(`\n${await writeReport(context, results)}`);
    if (context.problems.length > 0) process.exitCode = 1;
  } finally {
    await cleanUp();
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
