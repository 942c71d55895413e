import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Clock } from '../../platform/basics/clock/clock.js';
import { Database } from '../../platform/database/database.js';
import {
  RunsJobs,
  type FileOutput,
  type JobKind,
  type JobRun,
  type JobRunner,
} from '../jobs/queue/job-kind.js';
import { StoredFiles } from '../jobs/stored-files.repository.js';
import { StarterOffer } from '../templates/starters/starter-templates.js';
import { archiveContent } from './archive-content.js';
import { MEDIA_TYPE, type RecordCounts } from './archive-format.js';
import { ArchiveStore, beginSnapshot } from './archive.repository.js';

export const ACCOUNT_EXPORT = {
  name: 'account.export',
  scope: '*',
  input: z.object({}),
  runsIn: 'thread',
  limits: {
    atOnce: 2,
    atOncePerAccount: 1,
    unfinishedPerAccount: 1,
    timeLimitMs: 12 * 60 * 60 * 1000,
    tries: 5,
  },
} as const satisfies JobKind;

/** Exports a consistent snapshot of an account to one file. */
@RunsJobs(ACCOUNT_EXPORT)
@Injectable()
export class AccountExport implements JobRunner {
  constructor(
    private readonly database: Database,
    private readonly store: ArchiveStore,
    private readonly files: StoredFiles,
    private readonly starters: StarterOffer,
    private readonly clock: Clock,
  ) {}

  async run({ accountId, signal, report }: JobRun): Promise<FileOutput> {
    // Starter templates belong to the account even if its templates were never listed.
    await this.starters.offer(accountId);
    const exportedAt = this.clock.now();
    let counts: RecordCounts = {};
    const file = await this.database.transaction(async () => {
      await beginSnapshot(this.database);
      const content = archiveContent(this.store, { accountId, exportedAt, report });
      const all = async function* () {
        counts = yield* content;
      };
      return this.files.write(accountId, all(), signal);
    });
    const day = exportedAt.toISOString().slice(0, 10);
    return {
      file,
      mediaType: MEDIA_TYPE,
      fileName: `account-${day}.ndjson`,
      summary: { counts },
    };
  }
}
