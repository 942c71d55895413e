import 'reflect-metadata';
import { JobRunnersModule } from './job-runners.module.js';
import { runInThread } from './jobs/worker/run-in-thread.js';

void runInThread(JobRunnersModule);
