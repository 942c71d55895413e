import { Injectable } from '@nestjs/common';
import { auditRow, insertAuditEntries } from '../audit/audit-entry.js';
import { Clock } from '../clock/clock.js';
import { Database, type Executor, type Statement } from '../database/database.js';
import { DocumentImport } from '../documents/archive/document-import.js';
import { encodeId } from '../identifiers/identifiers.js';
import { StoredFiles } from '../jobs/files/stored-files.js';
import type { JobRun, JobRunner } from '../jobs/job-runner.js';
import { requireEmpty } from './account-contents.js';
import { MEDIA_TYPE, totalOf, type RecordCounts } from './archive-format.js';
import { ArchiveRecords } from './import/archive-records.js';
import { Authors } from './import/authors.js';
import { DocumentRecords } from './import/document-records.js';
import { ImportReport } from './import/import-report.js';
import { archiveProblem } from './import/line-problem.js';
import { takeAll, type SectionImports } from './import/section-import.js';
import { UniqueIds } from './import/unique-ids.js';

/** All of it is judged, then all of it is written. */
const PASSES = 2;
/** Clocks of two services differ a little. */
const TOLERANCE_MS = 5 * 60 * 1000;

/** A worker that stands still must not hold up the one that goes on in its place. */
const NO_IDLENESS: Statement = {
  name: 'archive.no-idleness',
  text: `SELECT set_config('idle_in_transaction_session_timeout', '300000', true)`,
};

const AUDIT: Statement = { name: 'archive.audit', text: insertAuditEntries('$1') };

/** Reads an archive twice: first all of it is judged, then all of it is written, in one transaction with the success. */
@Injectable()
export class AccountImport implements JobRunner {
  readonly kind = 'account.import';

  constructor(
    private readonly database: Database,
    private readonly files: StoredFiles,
    private readonly clock: Clock,
  ) {}

  async run(run: JobRun): Promise<void> {
    const { accountId } = run.job;
    const report = new ImportReport(this.files, accountId, run.signal);
    try {
      await this.database.transaction(async (executor) => {
        await executor.run(NO_IDLENESS, []);
        await requireEmpty(executor, accountId);
        const counts = await this.judge(run, executor);
        await this.write(run, executor, report, counts);
      });
    } catch (error) {
      await report.drop();
      throw error;
    }
  }

  private async judge(run: JobRun, executor: Executor): Promise<RecordCounts> {
    const ids = await UniqueIds.in(executor);
    const documents = new DocumentRecords({ ids }, this.latest());
    return this.pass(run, sectionsOf(documents), 0);
  }

  private async write(
    run: JobRun,
    executor: Executor,
    report: ImportReport,
    counts: RecordCounts,
  ): Promise<void> {
    const { accountId, cause, id } = run.job;
    const authors = await Authors.of(executor, accountId, cause.principal.user.id);
    const documents = new DocumentImport({
      executor,
      accountId,
      userOf: (person) => authors.userOf(person),
      // Templates are to be imported before: then this is the id that each of them got.
      templateOf: (templateId) => templateId,
      renamed: (from, to) => report.rename('document', from, to),
    });
    await this.pass(run, sectionsOf(new DocumentRecords({ documents }, this.latest())), 1);
    const imported = { documents: counts.document ?? 0, versions: counts.version ?? 0 };
    const summary = {
      imported,
      newIds: { documents: report.renamed.document ?? 0 },
      authorsReplaced: authors.replaced,
    };
    const at = this.clock.now();
    const details = { jobId: encodeId('job', id), ...imported };
    const entry = auditRow({ action: 'account.import', resourceId: accountId, at, cause, details });
    await executor.run(AUDIT, [JSON.stringify([entry])]);
    const file = await report.end(summary);
    const fileName = `import-${encodeId('job', id)}.ndjson`;
    const steps = PASSES * totalOf(counts);
    await run.succeed({ file, mediaType: MEDIA_TYPE, fileName, steps, summary }, executor);
  }

  /** Reads the archive once; `before` are the times it was read before. */
  private async pass(
    { job, signal, report }: JobRun,
    sections: SectionImports,
    before: number,
  ): Promise<RecordCounts> {
    const { accountId, inputFileId } = job;
    const file = await this.files.open({ accountId, id: inputFileId ?? '' });
    if (!file) throw archiveProblem('waited too long and has expired; send it again');
    const records = new ArchiveRecords();
    let done = 0;
    try {
      await takeAll(records.read(file.content as AsyncIterable<Buffer>), sections, () => {
        signal.throwIfAborted();
        done += 1;
        const total = totalOf(records.counts);
        report({ done: before * total + done, total: PASSES * total });
      });
    } finally {
      file.content.destroy();
    }
    return records.counts;
  }

  private latest(): Date {
    return new Date(this.clock.now().getTime() + TOLERANCE_MS);
  }
}

function sectionsOf(documents: DocumentRecords): SectionImports {
  return new Map([
    ['document', documents],
    ['version', documents],
  ]);
}
