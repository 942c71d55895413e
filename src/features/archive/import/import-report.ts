import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { encodeId, type IdKind } from '../../../platform/basics/identifiers/identifiers.js';
import type { StoredFiles, WrittenFile } from '../../jobs/stored-files.js';

/** The file that tells which things could not keep their ids: one JSON object a line. Written while it grows. */
export class ImportReport {
  readonly renamed: Partial<Record<IdKind, number>> = {};
  private readonly lines = new PassThrough();
  private readonly written: Promise<WrittenFile>;

  constructor(files: StoredFiles, accountId: string, signal: AbortSignal) {
    // The import may fail before anybody reads the lines; `written` tells.
    this.lines.on('error', () => undefined);
    this.written = files.write(accountId, this.lines, signal);
    // Told to whoever ends it.
    this.written.catch(() => undefined);
  }

  /** UUIDs: the id in the archive, and the one it got. */
  async rename(kind: IdKind, from: string, to: string): Promise<void> {
    this.renamed[kind] = (this.renamed[kind] ?? 0) + 1;
    const line = { record: kind, archiveId: encodeId(kind, from), id: encodeId(kind, to) };
    if (!this.lines.write(`${JSON.stringify(line)}\n`)) {
      await Promise.race([once(this.lines, 'drain'), this.written]);
    }
  }

  /** The whole file; its last line is the summary. */
  async end(summary: object): Promise<WrittenFile> {
    this.lines.end(`${JSON.stringify({ record: 'summary', ...summary })}\n`);
    return this.written;
  }

  /** Throws away what was written. */
  async drop(): Promise<void> {
    this.lines.destroy(new Error('The import was not done.'));
    await this.written.catch(() => undefined);
  }
}
