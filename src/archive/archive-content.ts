import { createHash } from 'node:crypto';
import type { Executor, Statement } from '../database/database.js';
import { encodeId } from '../identifiers/identifiers.js';
import type { Progress } from '../jobs/job-runner.js';
import {
  FORMAT,
  FORMAT_VERSION,
  RECORD_NAMES,
  totalOf,
  type ArchiveEnd,
  type ArchiveHeader,
  type RecordCounts,
} from './archive-format.js';
import { ARCHIVE_SECTIONS } from './sections/archive-sections.js';

const PIECE_CHARACTERS = 64 * 1024;

/** First in the transaction of an export: every statement sees the account as it was at the first one. */
export const ONE_STATE: Statement = {
  name: 'archive.one-state',
  text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ',
};

const ACCOUNT: Statement = {
  name: 'archive.account',
  text: 'SELECT name, plan, created_at FROM accounts WHERE id = $1',
};

/** What an export wants to know and tells. */
export interface ArchiveOptions {
  accountId: string;
  exportedAt: Date;
  report: (progress: Progress) => void;
}

/**
 * The archive of an account, in pieces of whole lines; returns how many records it has. Runs in a transaction
 * that began with {@link ONE_STATE}.
 */
export async function* archiveContent(
  executor: Executor,
  options: ArchiveOptions,
): AsyncGenerator<Buffer, RecordCounts> {
  const header = await headerOf(executor, options);
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
    for await (const line of section.lines(executor, options.accountId)) {
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
  executor: Executor,
  { accountId, exportedAt }: ArchiveOptions,
): Promise<ArchiveHeader> {
  const [account] = await executor.run<{ name: string; plan: string; created_at: Date }>(ACCOUNT, [
    accountId,
  ]);
  if (!account) throw new Error('The account is gone.');
  return {
    record: 'header',
    format: FORMAT,
    version: FORMAT_VERSION,
    exportedAt: exportedAt.toISOString(),
    account: {
      id: encodeId('account', accountId),
      name: account.name,
      plan: account.plan,
      createdAt: account.created_at.toISOString(),
    },
    counts: await countsOf(executor, accountId),
  };
}

async function countsOf(executor: Executor, accountId: string): Promise<RecordCounts> {
  const counts: RecordCounts = Object.fromEntries(RECORD_NAMES.map((name) => [name, 0]));
  for (const section of ARCHIVE_SECTIONS) {
    Object.assign(counts, await section.count(executor, accountId));
  }
  return counts;
}
