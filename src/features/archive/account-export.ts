import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Clock } from '../../platform/basics/clock/clock.js';
import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import { Database } from '../../platform/database/database.js';
import { beginSnapshot } from '../../platform/database/snapshot.js';
import type { Progress } from '../jobs/job.js';
import {
  RunsJobs,
  type FileOutput,
  type JobKind,
  type JobRun,
  type JobRunner,
} from '../jobs/queue/job-kind.js';
import { StoredFilesRepository } from '../jobs/stored-files.repository.js';
import { StarterTemplatesService } from '../templates/starters/starter-templates.service.js';
import {
  FORMAT,
  MEDIA_TYPE,
  OMITTED_IF_NONE,
  RECORD_NAMES,
  totalOf,
  versionFor,
  type ArchiveEnd,
  type ArchiveHeader,
  type RecordCounts,
} from './archive-format.js';
import { ArchiveRepository } from './archive.repository.js';
import { ARCHIVE_SECTIONS } from './sections/archive-sections.repository.js';

const CHUNK_CHARACTERS = 64 * 1024;

export const ACCOUNT_EXPORT = {
  name: 'account.export',
  scope: '*',
  reads: 'account',
  input: z.object({}),
  runsIn: 'thread',
  limits: {
    concurrency: 2,
    concurrencyPerAccount: 1,
    unfinishedPerAccount: 1,
    timeLimitMs: 12 * 60 * 60 * 1000,
    maxAttempts: 5,
  },
} as const satisfies JobKind;

/** Exports a consistent snapshot of an account to one file. */
@RunsJobs(ACCOUNT_EXPORT)
@Injectable()
export class AccountExport implements JobRunner {
  constructor(
    private readonly database: Database,
    private readonly store: ArchiveRepository,
    private readonly files: StoredFilesRepository,
    private readonly starters: StarterTemplatesService,
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

interface ArchiveOptions {
  accountId: string;
  exportedAt: Date;
  report: (progress: Progress) => void;
}

/**
 * Yields the archive of an account in chunks of whole lines, and returns its record counts. Call it in a transaction after
 * `beginSnapshot`.
 */
async function* archiveContent(
  store: ArchiveRepository,
  options: ArchiveOptions,
): AsyncGenerator<Buffer, RecordCounts> {
  const header = await headerOf(store, options);
  const total = totalOf(header.counts);
  const hash = createHash('sha256');
  let done = 0;
  let text = `${JSON.stringify(header)}\n`;
  const nextChunk = () => {
    const bytes = Buffer.from(text);
    text = '';
    hash.update(bytes);
    options.report({ done, total });
    return bytes;
  };
  for (const section of ARCHIVE_SECTIONS) {
    for await (const line of section.lines(store, options.accountId)) {
      text += `${line}\n`;
      done += 1;
      if (text.length >= CHUNK_CHARACTERS) yield nextChunk();
    }
  }
  if (done !== total) throw new Error('The number of records differs from their count.');
  if (text !== '') yield nextChunk();
  const { counts } = header;
  const end: ArchiveEnd = { record: 'end', counts, sha256: hash.digest('hex') };
  yield Buffer.from(`${JSON.stringify(end)}\n`);
  return counts;
}

async function headerOf(
  store: ArchiveRepository,
  { accountId, exportedAt }: ArchiveOptions,
): Promise<ArchiveHeader> {
  const account = await store.accounts.findOneByOrFail({ id: accountId });
  const counts = await countsOf(store, accountId);
  return {
    record: 'header',
    format: FORMAT,
    version: versionFor(counts),
    exportedAt: exportedAt.toISOString(),
    account: {
      id: encodeId('account', accountId),
      name: account.name,
      plan: account.plan,
      createdAt: account.createdAt.toISOString(),
    },
    counts,
  };
}

async function countsOf(store: ArchiveRepository, accountId: string): Promise<RecordCounts> {
  const counts: RecordCounts = Object.fromEntries(RECORD_NAMES.map((name) => [name, 0]));
  for (const section of ARCHIVE_SECTIONS) {
    Object.assign(counts, await section.count(store, accountId));
  }
  const isShown = ([name, count]: [string, number]) => count > 0 || !OMITTED_IF_NONE.has(name);
  return Object.fromEntries(Object.entries(counts).filter(isShown));
}
