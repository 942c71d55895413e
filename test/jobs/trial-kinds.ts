import { setTimeout as wait } from 'node:timers/promises';
import { isMainThread, threadId } from 'node:worker_threads';
import { Controller, HttpCode, Injectable, Module, Param, Post } from '@nestjs/common';
import { z } from 'zod';
import { Reach } from '../../src/features/auth/access/reach.decorators.js';
import { CurrentContext, RequireScope } from '../../src/features/auth/auth.decorators.js';
import type { RequestContext } from '../../src/features/auth/request-context.js';
import { ApiResponse } from '../../src/platform/http/envelope/api-response.js';
import {
  RunsJobs,
  type JobKind,
  type JobOutput,
  type JobRun,
  type JobRunner,
} from '../../src/features/jobs/queue/job-kind.js';
import { JobQueue } from '../../src/features/jobs/queue/job-queue.js';
import { jobPath, presentJob } from '../../src/features/jobs/job.presenter.js';
import { JobsModule } from '../../src/features/jobs/jobs.module.js';
import {
  StoredFilesRepository,
  StoredFilesModule,
} from '../../src/features/jobs/stored-files.repository.js';

/** A kind of job that a test starts with `POST /v1/trial/<name>`. */
function trial(name: string, runsIn: JobKind['runsIn'], timeLimitMs = 60_000): JobKind {
  return {
    name: `trial.${name}`,
    scope: 'documents:read',
    reads: 'own',
    input: z.object({ kind: z.string() }),
    runsIn,
    limits: {
      concurrency: 2,
      concurrencyPerAccount: 1,
      unfinishedPerAccount: 100,
      timeLimitMs,
      maxAttempts: 5,
    },
  };
}

const KINDS = {
  wait: trial('wait', 'process'),
  file: trial('file', 'process'),
  compute: trial('compute', 'thread'),
  crash: trial('crash', 'thread'),
  hang: trial('hang', 'thread', 1_000),
  deaf: trial('deaf', 'process', 500),
} as const;

@RunsJobs(KINDS.wait)
@Injectable()
class Wait implements JobRunner {
  async run({ signal }: JobRun): Promise<JobOutput> {
    await wait(10, undefined, { signal });
    return { json: { isMainThread } };
  }
}

@RunsJobs(KINDS.file)
@Injectable()
class File implements JobRunner {
  constructor(private readonly files: StoredFilesRepository) {}

  async run({ accountId, signal }: JobRun): Promise<JobOutput> {
    const content = async function* () {
      yield await Promise.resolve(Buffer.from('term,count\n'));
    };
    const file = await this.files.write(accountId, content(), signal);
    return { file, mediaType: 'text/csv', fileName: 'trial.csv' };
  }
}

@RunsJobs(KINDS.compute)
@Injectable()
class Compute implements JobRunner {
  run(): Promise<JobOutput> {
    return Promise.resolve({ json: { isMainThread, threadId } });
  }
}

@RunsJobs(KINDS.crash)
@Injectable()
class Crash implements JobRunner {
  run(): Promise<JobOutput> {
    process.exit(1);
  }
}

@RunsJobs(KINDS.hang)
@Injectable()
class Hang implements JobRunner {
  run(): Promise<JobOutput> {
    for (;;);
  }
}

/** Ignores its signal. */
@RunsJobs(KINDS.deaf)
@Injectable()
class Deaf implements JobRunner {
  run(): Promise<JobOutput> {
    return new Promise(() => undefined);
  }
}

@Controller('trial')
@Reach('none')
class TrialController {
  constructor(private readonly jobs: JobQueue) {}

  @Post(':kind')
  @HttpCode(202)
  @RequireScope('documents:read')
  async order(@CurrentContext() context: RequestContext, @Param('kind') kind: keyof typeof KINDS) {
    const job = await this.jobs.add({ kind: KINDS[kind], input: { kind } }, context);
    return new ApiResponse(JSON.stringify(presentJob(job)), { job: jobPath(job) });
  }
}

/** For `JobKindsModule`. */
@Module({ imports: [StoredFilesModule], providers: [Wait, File, Compute, Crash, Hang, Deaf] })
export class TrialJobsModule {}

/** For `AppModule`. */
@Module({ imports: [JobsModule], controllers: [TrialController] })
export class TrialModule {}
