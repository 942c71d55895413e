import path from 'node:path';
import { NodeProcess } from './node-process.js';
import type { BenchOptions } from './options.js';
import type { Figure } from './results.js';
import { limitFigure } from './results.js';
import { runCli } from './service/cli.js';
import { median } from './statistics.js';

const READY_GOAL_MS = 1_500;
const CLI_GOAL_MS = 500;

/**
 * Measures the milliseconds from spawn to the first 200 from /health/ready, with the embedded PostgreSQL and a data
 * folder that an earlier start has created, and the time of a command. Returns medians over the rounds.
 */
export async function measureStartUp(folder: string, options: BenchOptions): Promise<Figure[]> {
  const env = {
    NODE_ENV: 'production',
    EMBEDDED_DATABASE: 'true',
    HOST: '127.0.0.1',
    DATA_DIR: path.join(folder, 'data'),
    ...options.env,
  };
  const start = (): Promise<NodeProcess> =>
    NodeProcess.start({
      args: ['dist/main.js'],
      env,
      logFile: path.join(folder, 'start-up.log'),
    });
  const first = await start();
  await first.stop();
  const times = { ready: [] as number[], cli: [] as number[] };
  for (let round = 0; round < options.rounds; round += 1) {
    const service = await start();
    times.ready.push(service.readyAfterMs);
    await service.stop();
    const askedAt = performance.now();
    await runCli(['--help'], env);
    times.cli.push(performance.now() - askedAt);
  }
  const figure = { participant: 'service', unit: 'ms' };
  const [ready, cli] = [median(times.ready), median(times.cli)];
  return [
    limitFigure({ ...figure, name: 'start to ready', value: ready, goal: READY_GOAL_MS }),
    limitFigure({ ...figure, name: '`npm run cli -- --help`', value: cli, goal: CLI_GOAL_MS }),
  ];
}
