import path from 'node:path';
import { figureTable, type BenchContext, type ScenarioResult } from './report.js';
import { NodeProcess, runCli } from './servers.js';
import { median } from './statistics.js';

/**
 * Measures the milliseconds from spawn to the first 200 from /health/ready, with the embedded PostgreSQL and a data
 * folder that an earlier start has created, and the time of a command. Returns medians over the rounds.
 */
export async function measureStartUp({
  folder,
  options,
  say,
}: BenchContext): Promise<ScenarioResult> {
  say('start with an existing data folder');
  const [{ dist, env: own }] = options.variants;
  const env = {
    NODE_ENV: 'production',
    EMBEDDED_DATABASE: 'true',
    HOST: '127.0.0.1',
    DATA_DIR: path.join(folder, 'data'),
    ...own,
  };
  const args = [path.join(dist, 'main.js')];
  const start = (): Promise<NodeProcess> =>
    NodeProcess.start({ args, env, logFile: path.join(folder, 'start-up.log') });
  const first = await start();
  await first.stop();
  const times = { ready: [] as number[], cli: [] as number[] };
  for (let round = 0; round < options.rounds; round += 1) {
    const service = await start();
    times.ready.push(service.readyAfterMs);
    await service.stop();
    const askedAt = performance.now();
    await runCli(dist, ['--help'], env);
    times.cli.push(performance.now() - askedAt);
  }
  const figures = [
    { name: 'Start to ready', value: median(times.ready), unit: 'ms', goal: 1_500 },
    { name: '`cli --help`', value: median(times.cli), unit: 'ms', goal: 500 },
  ];
  return { text: figureTable(figures), data: { figures } };
}
