import { Injectable } from '@nestjs/common';
import { auditRow, insertAuditEntries } from '../audit/audit-entry.js';
import { Clock } from '../clock/clock.js';
import { Database, type Executor, type Statement } from '../database/database.js';
import { DocumentImport } from '../documents/archive/document-import.js';
import { encodeId } from '../identifiers/identifiers.js';
import { StoredFiles } from '../jobs/files/stored-files.js';
import type { JobRun, JobRunner } from '../jobs/job-runner.js';
import { TemplateImport } from '../templates/archive/template-import.js';
import { Quotas } from '../usage/quotas.js';
import { requireEmpty } from './account-contents.js';
import { MEDIA_TYPE, totalOf } from './archive-format.js';
import { judgeArchive, type JudgedArchive } from './import/judge-archive.js';
import { ArchiveRecords } from './import/archive-records.js';
import { Authors } from './import/authors.js';
import { DOCUMENTS, TEMPLATES } from './import/forms.js';
import { ImportReport } from './import/import-report.js';
import { archiveProblem } from './import/line-problem.js';
import { sectionImports, takeAll, type SectionImports } from './import/section-import.js';
import { VersionedRecords } from './import/versioned-records.js';

/** All of it is judged, then all of it is written. */
const PASSES = 2;
/** Clocks of two services differ, but not by more. */
const TOLERANCE_MS = 24 * 60 * 60 * 1000;

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
    private readonly quotas: Quotas,
    private readonly clock: Clock,
  ) {}

  async run(run: JobRun): Promise<void> {
    const { accountId, cause } = run.job;
    const report = new ImportReport(this.files, accountId, run.signal);
    try {
      await this.database.transaction(async (executor) => {
        await executor.run(NO_IDLENESS, []);
        await requireEmpty(executor, accountId);
        const judged = await judgeArchive(executor, this.latest(), (sections) =>
          this.pass(run, sections, 0),
        );
        await this.quotas.whereDocumentsFit(
          cause,
          () => judged.claim,
          () => this.write(run, executor, report, judged),
        );
      });
    } catch (error) {
      await report.drop();
      throw error;
    }
  }

  private async write(
    run: JobRun,
    executor: Executor,
    report: ImportReport,
    { counts }: JudgedArchive,
  ): Promise<void> {
    const { accountId, cause, id } = run.job;
    const now = this.clock.now();
    const authors = await Authors.of(executor, accountId, cause.principal.user.id);
    const around = { executor, database: this.database, accountId, userOf: authors.userOf };
    const templates = await TemplateImport.begin({
      ...around,
      now,
      renamed: (from, to) => report.rename('template', from, to),
    });
    const documents = new DocumentImport({
      ...around,
      templateOf: (archived) => templates.idOf(archived),
      renamed: (from, to) => report.rename('document', from, to),
    });
    const sections = sectionImports(
      new VersionedRecords(TEMPLATES, templates, this.latest()),
      new VersionedRecords(DOCUMENTS, documents, this.latest()),
    );
    await this.pass(run, sections, 1);
    const imported = {
      documents: counts.document ?? 0,
      versions: counts.version ?? 0,
      templates: counts.template ?? 0,
      templateVersions: counts.templateVersion ?? 0,
    };
    const summary = { imported, newIds: report.renamed, authorsReplaced: authors.replaced };
    const details = { jobId: encodeId('job', id), ...imported };
    const entry = auditRow({
      action: 'account.import',
      resourceId: accountId,
      at: now,
      cause,
      details,
    });
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
  ): Promise<ArchiveRecords> {
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
    return records;
  }

  private latest(): Date {
    return new Date(this.clock.now().getTime() + TOLERANCE_MS);
  }
}
