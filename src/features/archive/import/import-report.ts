import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { encodeId, type IdKind } from '../../../platform/basics/identifiers/identifiers.js';
import type { StoredFilesRepository, WrittenFile } from '../../jobs/stored-files.repository.js';

/** Streams a file that maps the resources that could not keep their IDs to their new ones: one JSON object per line. */
export class ImportReport {
  readonly renamed: Partial<Record<IdKind, number>> = {};
  private readonly lines = new PassThrough();
  private readonly written: Promise<WrittenFile>;

  constructor(files: StoredFilesRepository, accountId: string, signal: AbortSignal) {
    // The import may fail before the lines are read. `written` reports the error.
    this.lines.on('error', () => undefined);
    this.written = files.write(accountId, this.lines, signal);
    // Prevents an unhandled rejection. `end` reports the error.
    this.written.catch(() => undefined);
  }

  /** Records a new id. Both ids are UUIDs. */
  async rename(kind: IdKind, from: string, to: string): Promise<void> {
    this.renamed[kind] = (this.renamed[kind] ?? 0) + 1;
    const line = { record: kind, archiveId: encodeId(kind, from), id: encodeId(kind, to) };
    if (!this.lines.write(`${JSON.stringify(line)}\n`)) {
      await Promise.race([once(this.lines, 'drain'), this.written]);
    }
  }

  /** Writes the summary as the last line and returns the file. */
  async end(summary: object): Promise<WrittenFile> {
    this.lines.end(`${JSON.stringify({ record: 'summary', ...summary })}\n`);
    return this.written;
  }

  /** Discards the file. */
  async drop(): Promise<void> {
    this.lines.destroy(new Error('The import failed.'));
    await this.written.catch(() => undefined);
  }
}
