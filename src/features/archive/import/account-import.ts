import { Database } from '../../../platform/database/database.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { hasOwnTemplates, TemplateImport } from '../sections/template-archive.repository.js';
import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { z } from 'zod';
import { insertAuditEntry } from '../../audit/audit.repository.js';
import type { Person } from '../../auth/person.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import {
  CollectionImport,
  type ArchivedCollection,
} from '../sections/collection-archive.repository.js';
import type { ArchivedPublishing } from '../sections/publication-archive.repository.js';
import { DocumentImport } from '../sections/document-archive.repository.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import {
  RunsJobs,
  type FileOutput,
  type JobInput,
  type JobKind,
  type JobRun,
  type JobRunner,
} from '../../jobs/queue/job-kind.js';
import { StoredFilesRepository } from '../../jobs/stored-files.repository.js';
import { QuotasService } from '../../usage/quotas/quotas.service.js';
import { MEDIA_TYPE, totalOf, type RecordCounts } from '../archive-format.js';
import { ArchiveRepository, limitIdleness } from '../archive.repository.js';
import { archiveProblem, ArchiveRecords } from './archive-records.js';
import { ImportReport } from './import-report.js';
import { importSections, type ArchiveSinks } from './section-import.js';
import { validateArchive, type ValidArchive } from './validate-archive.js';

/** Throws `conflict` unless the account has no documents, no collections, and no templates except starter templates. */
export async function requireEmpty(store: ArchiveRepository, accountId: string): Promise<void> {
  if ((await store.countDocuments(accountId)) > 0) throw notEmpty('documents');
  if (await hasOwnTemplates(store, accountId)) throw notEmpty('templates');
  if (await store.collections.existsBy({ accountId, deletedAt: IsNull() }))
    throw notEmpty('collections');
}

/** Returns the error for importing into an account that is not empty. */
export function notEmpty(what: 'documents' | 'templates' | 'collections'): AppError {
  const remedy =
    what === 'documents'
      ? 'Delete them permanently, including those in the trash'
      : `Delete its ${what}`;
  return new AppError(
    'conflict',
    `You can import an archive only into an empty account. This account has ${what}. ${remedy}, or use another account.`,
    { has: what },
  );
}

export const ACCOUNT_IMPORT = {
  name: 'account.import',
  scope: '*',
  reads: 'account',
  input: z.object({ bytes: z.int() }),
  runsIn: 'thread',
  isAtomic: true,
  limits: {
    concurrency: 2,
    concurrencyPerAccount: 1,
    unfinishedPerAccount: 1,
    timeLimitMs: 24 * 60 * 60 * 1000,
    maxAttempts: 5,
  },
} as const satisfies JobKind;

type Input = JobInput<typeof ACCOUNT_IMPORT>;

/** The archive is read twice: first to validate it, then to import it. */
const PASSES = 2;
/** Maximum difference between the clocks of two services. */
const TOLERANCE_MS = 24 * 60 * 60 * 1000;

/** Validates an archive and imports it in one transaction. */
@RunsJobs(ACCOUNT_IMPORT)
@Injectable()
export class AccountImport implements JobRunner<Input> {
  constructor(
    private readonly database: Database,
    private readonly store: ArchiveRepository,
    private readonly files: StoredFilesRepository,
    private readonly quotas: QuotasService,
    private readonly clock: Clock,
  ) {}

  async run(job: JobRun<Input>): Promise<FileOutput> {
    const { accountId, context } = job;
    const report = new ImportReport(this.files, accountId, job.signal);
    try {
      await limitIdleness(this.database);
      await requireEmpty(this.store, accountId);
      const valid = await validateArchive(this.database, (sinks) => this.pass(job, sinks, 0));
      const upload = { accountId, id: job.inputFileId ?? '' };
      const uploaded = await this.files.storedBytesOf(upload);
      return await this.quotas.withinDocumentQuota(
        context,
        // The upload counts until the import has ended, but both together need only the larger capacity.
        () => ({ ...valid.claim, bytes: valid.claim.bytes - uploaded }),
        () => this.write(job, report, valid),
        // Prevents a deadlock with a batch that holds one external ID of the archive and waits for another.
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
    const members = counts.collection ? await this.store.lockMembers(accountId) : new Set<string>();
    const importer = context.principal.user.id;
    const users = await UserMapping.load(this.store, accountId, { members, importer });
    const collections = new CollectionImport(this.store, {
      accountId,
      memberOf: users.memberOf,
      renamed: (from, to) => report.rename('collection', from, to),
    });
    const target = { database: this.database, accountId, userOf: users.userOf };
    const templates = await TemplateImport.begin(this.store, {
      ...target,
      now,
      renamed: (from, to) => report.rename('template', from, to),
    });
    const documents = new DocumentImport({
      ...target,
      templateOf: (archived) => templates.idOf(archived),
      collectionOf: collections.idOf,
      renamed: (from, to) => report.rename('document', from, to),
    });
    let publishing: ArchivedPublishing | undefined;
    const sinks = {
      publishing: (settings: ArchivedPublishing) => (publishing = settings),
      collections: (all: readonly ArchivedCollection[]) => collections.insert(all),
      ...{ templates, documents },
    };
    await this.pass(job, sinks, 1);
    await this.setPublishing(accountId, publishing, now);
    const imported = {
      collections: counts.collection ?? 0,
      documents: counts.document ?? 0,
      versions: counts.version ?? 0,
      templates: counts.template ?? 0,
      templateVersions: counts.templateVersion ?? 0,
    };
    const details = { jobId: encodeId('job', id), ...imported };
    const entry = { action: 'account.import', resourceId: accountId, at: now } as const;
    await insertAuditEntry(this.database, { ...entry, context, details });
    const summary = {
      imported,
      newIds: report.renamed,
      authorsReplaced: users.replaced,
      accessEntriesRemoved: collections.dropped,
    };
    const file = await report.end(summary);
    const fileName = `import-${encodeId('job', id)}.ndjson`;
    return { file, mediaType: MEDIA_TYPE, fileName, summary };
  }

  /**
   * Sets the publishing settings of the archive, or keeps those of the account. The worker then publishes only documents with
   * the status `published` that the archive has no published version of: those of an account without publishing, and those
   * that were created during the import.
   */
  private async setPublishing(
    accountId: string,
    archived: ArchivedPublishing | undefined,
    now: Date,
  ): Promise<void> {
    const { publishing } = this.store;
    await publishing.lock(accountId);
    const own = await publishing.find(accountId);
    const updatedAt = archived ? now : own.updatedAt;
    if (updatedAt === null) return;
    await publishing.save(accountId, { ...own, ...archived, updatedAt, settled: false });
  }

  /** Reads the archive once. `before` is the number of earlier passes. */
  private async pass(
    { accountId, inputFileId, signal, report }: JobRun<Input>,
    sinks: ArchiveSinks,
    before: number,
  ): Promise<RecordCounts> {
    const file = await this.files.open({ accountId, id: inputFileId ?? '' });
    if (!file) throw archiveProblem('expired before it could be imported; send it again');
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

/** Maximum number of people without a matching user to count. */
const MAX_COUNTED = 10_000;

/**
 * Maps people in an archive to users of the account: authors by ID, otherwise by email address, otherwise to the importing
 * user. Rights are only mapped to members.
 */
class UserMapping {
  /** Ids of people without a matching user. */
  private readonly unmapped = new Set<string>();

  private constructor(
    private readonly ids: ReadonlySet<string>,
    private readonly byEmail: ReadonlyMap<string, string>,
    private readonly members: ReadonlySet<string>,
    /** UUID of the importing user. */
    private readonly importer: string,
  ) {}

  static async load(
    store: ArchiveRepository,
    accountId: string,
    { members, importer }: { members: ReadonlySet<string>; importer: string },
  ): Promise<UserMapping> {
    const users = await store.readUsers(accountId);
    const byEmail = new Map(users.map(({ id, email }) => [email.toLowerCase(), id]));
    return new UserMapping(new Set(users.map(({ id }) => id)), byEmail, members, importer);
  }

  /** Returns the UUID of the user. */
  readonly userOf = (person: Person): string => {
    const known = this.known(person);
    if (known === undefined && this.unmapped.size < MAX_COUNTED) this.unmapped.add(person.id);
    return known ?? this.importer;
  };

  /** Returns the UUID of the user, or undefined unless they are a member of the account. */
  readonly memberOf = (person: Person): string | undefined => {
    const known = this.known(person);
    return known !== undefined && this.members.has(known) ? known : undefined;
  };

  private known({ id, email }: Person): string | undefined {
    return this.ids.has(id) ? id : this.byEmail.get(email.toLowerCase());
  }

  /** The number of people mapped to the importing user. */
  get replaced(): number {
    return this.unmapped.size;
  }
}
