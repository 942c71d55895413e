import { createHash } from 'node:crypto';
import { AccountEntity } from '../access/auth/entities/account.entity.js';
import type { Database, Statement } from '../../platform/database/database.js';
import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import type { Progress } from '../jobs/job.js';
import {
  FORMAT,
  FORMAT_VERSION,
  RECORD_NAMES,
  totalOf,
  type ArchiveEnd,
  type ArchiveHeader,
  type RecordCounts,
} from './archive-format.js';
import { ARCHIVE_SECTIONS } from './archive-sections.js';

const PIECE_CHARACTERS = 64 * 1024;

/** First in the transaction of an export: every statement sees the account as it was at the first one. */
export const ONE_STATE: Statement = {
  name: 'archive.one-state',
  text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ',
};

/** What an export wants to know and tells. */
interface ArchiveOptions {
  accountId: string;
  exportedAt: Date;
  report: (progress: Progress) => void;
}

/**
 * The archive of an account, in pieces of whole lines; returns how many records it has. Runs in a transaction
 * that began with {@link ONE_STATE}.
 */
export async function* archiveContent(
  database: Database,
  options: ArchiveOptions,
): AsyncGenerator<Buffer, RecordCounts> {
  const header = await headerOf(database, options);
  const total = totalOf(header.counts);
  const hash = createHash('sha256');
  let done = 0;
  let waiting = `${JSON.stringify(header)}\n`;
  const piece = () => {
    const bytes = Buffer.from(waiting);
    waiting = '';
    hash.update(bytes);
    options.report({ done, total });
    return bytes;
  };
  for (const section of ARCHIVE_SECTIONS) {
    for await (const line of section.lines(database, options.accountId)) {
      waiting += `${line}\n`;
      done += 1;
      if (waiting.length >= PIECE_CHARACTERS) yield piece();
    }
  }
  if (done !== total) throw new Error('The account has other records than were counted.');
  if (waiting !== '') yield piece();
  const { counts } = header;
  const end: ArchiveEnd = { record: 'end', counts, sha256: hash.digest('hex') };
  yield Buffer.from(`${JSON.stringify(end)}\n`);
  return counts;
}

async function headerOf(
  database: Database,
  { accountId, exportedAt }: ArchiveOptions,
): Promise<ArchiveHeader> {
  const account = await database.repository(AccountEntity).findOneByOrFail({ id: accountId });
  return {
    record: 'header',
    format: FORMAT,
    version: FORMAT_VERSION,
    exportedAt: exportedAt.toISOString(),
    account: {
      id: encodeId('account', accountId),
      name: account.name,
      plan: account.plan,
      createdAt: account.createdAt.toISOString(),
    },
    counts: await countsOf(database, accountId),
  };
}

async function countsOf(database: Database, accountId: string): Promise<RecordCounts> {
  const counts: RecordCounts = Object.fromEntries(RECORD_NAMES.map((name) => [name, 0]));
  for (const section of ARCHIVE_SECTIONS) {
    Object.assign(counts, await section.count(database, accountId));
  }
  return counts;
}
