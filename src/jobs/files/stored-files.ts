import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createBrotliDecompress } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../clock/clock.js';
import { Database, type Statement } from '../../database/database.js';
import { AppError } from '../../errors/app-error.js';
import { newUuid } from '../../identifiers/identifiers.js';
import { decompress } from './decompress.js';

const CHUNK_BYTES = 256 * 1024;
/** Compressed, of all files of an account together. */
export const MAX_STORED_BYTES = 4 * 1024 ** 3;
/** A file that nobody goes on writing is removed after this time. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/**
 * Fast, and with a window of 4 MiB: versions of one text that follow each other cost little more than one of them.
 * Done by Node's thread pool, not on the event loop.
 */
const COMPRESSION = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 22 },
};

const MAKE: Statement = {
  name: 'stored-files.make',
  text: 'INSERT INTO stored_files (id, account_id, expires_at, created_at) VALUES ($1, $2, $3, $4)',
};

const APPEND: Statement = {
  name: 'stored-files.append',
  text: `WITH grown AS (
      UPDATE stored_files AS file SET stored_bytes = stored_bytes + octet_length($4::bytea), expires_at = $5
       WHERE id = $1 AND account_id = $2
         AND (SELECT sum(stored_bytes) FROM stored_files AS every WHERE every.account_id = $2) < $6::bigint
      RETURNING id
    )
    INSERT INTO stored_file_chunks (file_id, number, bytes) SELECT id, $3, $4 FROM grown RETURNING number`,
};

const FIND: Statement = {
  name: 'stored-files.find',
  text: 'SELECT stored_bytes FROM stored_files WHERE id = $1 AND account_id = $2',
};

const READ: Statement = {
  name: 'stored-files.read',
  text: `SELECT bytes FROM stored_file_chunks WHERE file_id = $1 AND number = $3
            AND EXISTS (SELECT FROM stored_files WHERE id = $1 AND account_id = $2)`,
};

const EXPIRE: Statement = {
  name: 'stored-files.expire',
  text: 'UPDATE stored_files SET expires_at = $3 WHERE id = $1 AND account_id = $2',
};

/** Ids are UUIDs. */
export interface FileOf {
  accountId: string;
  id: string;
}

/** A file that was written; nobody keeps it until a job says so. */
export interface WrittenFile {
  id: string;
  /** Before compression. */
  bytes: number;
}

/** Files of any size in PostgreSQL, in pieces, so that every replica can serve them and memory stays flat. */
@Injectable()
export class StoredFiles {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Writes all of `source`. Rejects with its error, with `payload_too_large` when the account has too much, or on `signal`. */
  async write(
    accountId: string,
    source: AsyncIterable<Buffer>,
    signal?: AbortSignal,
  ): Promise<WrittenFile> {
    const id = newUuid();
    const now = this.clock.now();
    await this.database.run(MAKE, [id, accountId, abandonedAt(now), now]);
    const written = { id, bytes: 0 };
    try {
      await pipeline(
        Readable.from(counted(source, written), { objectMode: false }),
        createBrotliCompress(COMPRESSION),
        (compressed: AsyncIterable<Buffer>) => this.append({ accountId, id }, compressed),
        { signal },
      );
      return written;
    } catch (error) {
      await this.drop({ accountId, id }).catch(() => undefined);
      throw error;
    }
  }

  /** Has the file removed soon. */
  async drop({ accountId, id }: FileOf): Promise<void> {
    await this.database.run(EXPIRE, [id, accountId, this.clock.now()]);
  }

  /** The file as it was written, or compressed with Brotli as it is kept; `undefined` when it is gone. */
  async open(
    file: FileOf,
    compressed = false,
  ): Promise<{ storedBytes: number; content: Readable } | undefined> {
    const [row] = await this.database.run<{ stored_bytes: string }>(FIND, [
      file.id,
      file.accountId,
    ]);
    if (!row) return undefined;
    const storedBytes = Number(row.stored_bytes);
    const stored = Readable.from(this.chunks(file, storedBytes), { objectMode: false });
    const content = compressed ? stored : decompress(stored, createBrotliDecompress());
    return { storedBytes, content };
  }

  private async append(file: FileOf, compressed: AsyncIterable<Buffer>): Promise<void> {
    let number = 0;
    for await (const bytes of inPieces(compressed)) {
      number += 1;
      const rows = await this.database.run(APPEND, [
        file.id,
        file.accountId,
        number,
        bytes,
        abandonedAt(this.clock.now()),
        MAX_STORED_BYTES,
      ]);
      if (rows.length === 0) throw tooMuchStored();
    }
  }

  private async *chunks({ accountId, id }: FileOf, storedBytes: number): AsyncGenerator<Buffer> {
    let left = storedBytes;
    for (let number = 1; left > 0; number += 1) {
      const [row] = await this.database.run<{ bytes: Buffer }>(READ, [id, accountId, number]);
      if (!row) throw new Error('A stored file was removed while it was read.');
      left -= row.bytes.length;
      yield row.bytes;
    }
  }
}

/** The refusal of what an account cannot keep beside what it has. */
export function tooMuchStored(): AppError {
  return new AppError(
    'payload_too_large',
    `Uploads and results of jobs of an account may take ${String(MAX_STORED_BYTES / 1024 ** 3)} GiB, compressed. Wait until older ones expire.`,
    { maxBytes: MAX_STORED_BYTES },
  );
}

function abandonedAt(now: Date): Date {
  return new Date(now.getTime() + ABANDONED_AFTER_MS);
}

async function* counted(
  source: AsyncIterable<Buffer>,
  written: WrittenFile,
): AsyncGenerator<Buffer> {
  for await (const bytes of source) {
    written.bytes += bytes.length;
    yield bytes;
  }
}

async function* inPieces(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const bytes of source) {
    waiting.push(bytes);
    length += bytes.length;
    if (length < CHUNK_BYTES) continue;
    const all = Buffer.concat(waiting);
    let place = 0;
    for (; all.length - place >= CHUNK_BYTES; place += CHUNK_BYTES) {
      yield all.subarray(place, place + CHUNK_BYTES);
    }
    waiting = [all.subarray(place)];
    length = all.length - place;
  }
  if (length > 0) yield Buffer.concat(waiting);
}
