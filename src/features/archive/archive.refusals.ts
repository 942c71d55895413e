import { tooMuchStored } from '../jobs/stored-files.repository.js';
import { noArchive } from './archive-upload.js';
import { alreadyRunning } from '../jobs/queue/job-queue.js';
import { notEmpty } from './import/account-import.js';
import type { RouteRefusals } from '../../platform/openapi/route-decorators.js';

const SAMPLE = { id: '019a8741-c01b-7018-b7cc-3e124d713fdf' };

export const ARCHIVE = {
  export: [['Already running', alreadyRunning({ ...SAMPLE, kind: 'account.export' })]],
  import: [
    ['Account not empty', notEmpty('documents')],
    ['Already running', alreadyRunning({ ...SAMPLE, kind: 'account.import' })],
    ['Not an archive', noArchive()],
    ['File storage full', tooMuchStored()],
  ],
} satisfies RouteRefusals;
