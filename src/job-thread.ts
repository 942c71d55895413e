import 'reflect-metadata';
import { JobKindsModule } from './job-kinds.module.js';
import { jobThreadTask } from './features/jobs/worker/job-thread-task.js';
import { SCHEMA } from './tables.js';
import { threadTask } from './platform/threads/thread-task.js';

/** The module that job threads run. */
export default threadTask(jobThreadTask(JobKindsModule, SCHEMA));
