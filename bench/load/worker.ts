/** The load process. Takes one job at a time from the runner and replies with its result. */
import type { LoadJob, LoadReply, LoadResult } from './messages.js';
import { runPacedLoad } from './paced-load.js';
import { runVariedLoad } from './varied-load.js';

function run(job: LoadJob): Promise<LoadResult> {
  return job.kind === 'paced' ? runPacedLoad(job) : runVariedLoad(job);
}

function reply(message: LoadReply): void {
  process.send?.(message);
}

process.on('message', (job: LoadJob) => {
  run(job).then(
    (result) => {
      reply({ result });
    },
    (reason: unknown) => {
      reply({ failure: reason instanceof Error ? reason.message : String(reason) });
    },
  );
});
process.once('disconnect', () => process.exit());
