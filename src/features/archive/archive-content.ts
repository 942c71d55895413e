import { createHash } from 'node:crypto';
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
import type { ArchiveStore } from './archive.repository.js';
import { ARCHIVE_SECTIONS } from './sections/archive-sections.repository.js';

const CHUNK_CHARACTERS = 64 * 1024;

interface ArchiveOptions {
  accountId: string;
  exportedAt: Date;
  report: (progress: Progress) => void;
}

/**
 * Yields the archive of an account in chunks of whole lines, and returns its record counts. Call it in a transaction after
 * `beginSnapshot`.
 */
export async function* archiveContent(
  store: ArchiveStore,
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
  store: ArchiveStore,
  { accountId, exportedAt }: ArchiveOptions,
): Promise<ArchiveHeader> {
  const account = await store.accounts.findOneByOrFail({ id: accountId });
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
    counts: await countsOf(store, accountId),
  };
}

async function countsOf(store: ArchiveStore, accountId: string): Promise<RecordCounts> {
  const counts: RecordCounts = Object.fromEntries(RECORD_NAMES.map((name) => [name, 0]));
  for (const section of ARCHIVE_SECTIONS) {
    Object.assign(counts, await section.count(store, accountId));
  }
  return counts;
}
