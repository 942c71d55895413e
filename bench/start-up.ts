import path from 'node:path';
import { NodeProcess } from './node-process.js';
import type { BenchOptions } from './options.js';
import { median } from './statistics.js';

/**
 * Milliseconds from spawn to the first 200 of /health/ready, with the embedded PostgreSQL and a
 * data folder that an earlier start has made; the median over the rounds.
 */
export async function measureStartUp(folder: string, options: BenchOptions): Promise<number> {
  const start = (): Promise<NodeProcess> =>
    NodeProcess.start({
      args: ['dist/main.js'],
      env: {
        NODE_ENV: 'production',
        EMBEDDED_DATABASE: 'true',
        HOST: '127.0.0.1',
        DATA_DIR: path.join(folder, 'data'),
        ...options.env,
      },
      logFile: path.join(folder, 'start-up.log'),
    });
  const first = await start();
  await first.stop();
  const times: number[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const service = await start();
    times.push(service.readyAfterMs);
    await service.stop();
  }
  return median(times);
}
