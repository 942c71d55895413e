import { Injectable } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { Database } from '../database/database.js';
import { StoredFiles } from '../jobs/files/stored-files.js';
import type { JobRun, JobRunner } from '../jobs/job-runner.js';
import { StarterOffer } from '../templates/starter-offer.js';
import { ONE_STATE, archiveContent } from './archive-content.js';
import { MEDIA_TYPE, totalOf, type RecordCounts } from './archive-format.js';

/** Writes everything of an account into one file, as it was at one moment. */
@Injectable()
export class AccountExport implements JobRunner {
  readonly kind = 'account.export';

  constructor(
    private readonly database: Database,
    private readonly files: StoredFiles,
    private readonly starters: StarterOffer,
    private readonly clock: Clock,
  ) {}

  async run({ job: { accountId }, signal, report, succeed }: JobRun): Promise<void> {
    // They belong to the account, though nobody may have looked at its templates yet.
    await this.starters.offer(accountId);
    const exportedAt = this.clock.now();
    let counts: RecordCounts = {};
    const file = await this.database.transaction(async (executor) => {
      await executor.run(ONE_STATE, []);
      const content = archiveContent(executor, { accountId, exportedAt, report });
      const all = async function* () {
        counts = yield* content;
      };
      return this.files.write(accountId, all(), signal);
    });
    const day = exportedAt.toISOString().slice(0, 10);
    await succeed({
      file,
      mediaType: MEDIA_TYPE,
      fileName: `account-${day}.ndjson`,
      steps: totalOf(counts),
      summary: { counts },
    });
  }
}
