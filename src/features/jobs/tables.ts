import { JobEntity } from './entities/job.entity.js';
import { StoredFileChunkEntity, StoredFileEntity } from './entities/stored-file.entity.js';

export const JOBS_TABLES = [JobEntity, StoredFileEntity, StoredFileChunkEntity];
