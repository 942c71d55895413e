import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { insertAuditEntry } from '../audit/audit-entry.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../platform/database/database.js';
import { DocumentImport } from '../documents/document-archive.repository.js';
import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import {
  RunsJobs,
  type FileOutput,
  type JobInput,
  type JobKind,
  type JobRun,
  type JobRunner,
} from '../jobs/job-kind.js';
import { StoredFiles } from '../jobs/stored-files.js';
import { TemplateImport } from '../templates/template-archive.repository.js';
import { Quotas } from '../usage/quotas.js';
import { requireEmpty } from './account-contents.js';
import { MEDIA_TYPE, totalOf, type RecordCounts } from './archive-format.js';
import { archiveProblem, ArchiveRecords } from './import/archive-records.js';
import { ImportReport } from './import/import-report.js';
import { importSections, type ArchiveSinks } from './import/section-import.js';
import { UserMapping } from './import/user-mapping.js';
import { validateArchive, type ValidArchive } from './import/validate-archive.js';

export const ACCOUNT_IMPORT = {
  name: 'account.import',
  scope: '*',
  input: z.object({ bytes: z.int() }),
  runsIn: 'thread',
  isAtomic: true,
  limits: {
    atOnce: 2,
    atOncePerAccount: 1,
    unfinishedPerAccount: 1,
    timeLimitMs: 24 * 60 * 60 * 1000,
    tries: 5,
  },
} as const satisfies JobKind;

type Input = JobInput<typeof ACCOUNT_IMPORT>;

/** The archive is read to validate all of it, and once more to write it. */
const PASSES = 2;
/** Clocks of two services differ, but not by more. */
const TOLERANCE_MS = 24 * 60 * 60 * 1000;

/** A worker that stands still must not hold up the one that goes on in its place. */
const LIMIT_IDLENESS: Statement = {
  name: 'archive.limit-idleness',
  text: `SELECT set_config('idle_in_transaction_session_timeout', '300000', true)`,
};

/** Imports an archive, all or nothing: first all of it is validated, then all of it is written. */
@RunsJobs(ACCOUNT_IMPORT)
@Injectable()
export class AccountImport implements JobRunner<Input> {
  constructor(
    private readonly database: Database,
    private readonly files: StoredFiles,
    private readonly quotas: Quotas,
    private readonly clock: Clock,
  ) {}

  async run(job: JobRun<Input>): Promise<FileOutput> {
    const { accountId, context } = job;
    const report = new ImportReport(this.files, accountId, job.signal);
    try {
      await this.database.run(LIMIT_IDLENESS, []);
      await requireEmpty(this.database, accountId);
      const valid = await validateArchive(this.database, (sinks) => this.pass(job, sinks, 0));
      return await this.quotas.whereDocumentsFit(
        context,
        () => valid.claim,
        () => this.write(job, report, valid),
        // A batch may hold an external id of the archive and wait for another one.
        { locked: true },
      );
    } catch (error) {
      await report.drop();
      throw error;
    }
  }

  private async write(
    job: JobRun<Input>,
    report: ImportReport,
    { counts }: ValidArchive,
  ): Promise<FileOutput> {
    const { accountId, context, id } = job;
    const now = this.clock.now();
    const users = await UserMapping.of(this.database, accountId, context.principal.user.id);
    const around = { database: this.database, accountId, userOf: users.userOf };
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
    await this.pass(job, { templates, documents }, 1);
    const imported = {
      documents: counts.document ?? 0,
      versions: counts.version ?? 0,
      templates: counts.template ?? 0,
      templateVersions: counts.templateVersion ?? 0,
    };
    const details = { jobId: encodeId('job', id), ...imported };
    const entry = { action: 'account.import', resourceId: accountId, at: now } as const;
    await insertAuditEntry(this.database, { ...entry, context, details });
    const summary = { imported, newIds: report.renamed, authorsReplaced: users.replaced };
    const file = await report.end(summary);
    const fileName = `import-${encodeId('job', id)}.ndjson`;
    return { file, mediaType: MEDIA_TYPE, fileName, summary };
  }

  /** Reads the archive once; `before` is how often it was read before. */
  private async pass(
    { accountId, inputFileId, signal, report }: JobRun<Input>,
    sinks: ArchiveSinks,
    before: number,
  ): Promise<RecordCounts> {
    const file = await this.files.open({ accountId, id: inputFileId ?? '' });
    if (!file) throw archiveProblem('waited too long and has expired; send it again');
    const records = new ArchiveRecords();
    const latest = new Date(this.clock.now().getTime() + TOLERANCE_MS);
    let done = 0;
    try {
      const content = records.read(file.content as AsyncIterable<Buffer>);
      await importSections(content, sinks, latest, () => {
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
}
