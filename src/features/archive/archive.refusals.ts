import { tooMuchStored } from '../jobs/stored-files.js';
import { noArchive } from './archive-upload.js';
import { alreadyUnderWay } from '../jobs/job-queue.js';
import { notEmpty } from './account-contents.js';
import type { RouteRefusals } from '../../platform/openapi/route-decorators.js';

const SAMPLE = { id: '019a8741-c01b-7018-b7cc-3e124d713fdf' };

export const ARCHIVE = {
  export: [['Under way', alreadyUnderWay({ ...SAMPLE, kind: 'account.export' })]],
  import: [
    ['Not empty', notEmpty('documents')],
    ['Under way', alreadyUnderWay({ ...SAMPLE, kind: 'account.import' })],
    ['No archive', noArchive()],
    ['Too much stored', tooMuchStored()],
  ],
} satisfies RouteRefusals;
