import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { pipeline as pipe, Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createBrotliDecompress } from 'node:zlib';
import { Injectable, Module } from '@nestjs/common';
import { Clock } from '../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../platform/database/database.js';
import { AppError } from '../../platform/basics/errors/app-error.js';
import { newUuid } from '../../platform/basics/identifiers/identifiers.js';
import { StoredFileChunkEntity, StoredFileEntity } from './entities/stored-file.entity.js';

const CHUNK_BYTES = 256 * 1024;
/** Compressed, of all files of an account together. */
const MAX_STORED_BYTES = 4 * 1024 ** 3;
/** A file that nobody goes on writing is removed after this time. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/**
 * Fast, and with a window of 4 MiB: versions of one text that follow each other cost little more than one of them.
 * Done by Node's thread pool, not on the event loop.
 */
const COMPRESSION = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 22 },
};

/** Only while the account has room. */
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

/** Ids are UUIDs. */
interface FileOf {
  accountId: string;
  id: string;
}

/** A file that was written; nobody keeps it until a job says so. */
export interface WrittenFile {
  id: string;
  /** Before compression. */
  bytes: number;
}

interface OpenFile {
  /** As they are kept. */
  storedBytes: number;
  content: Readable;
}

/**
 * Files of any size in PostgreSQL, in pieces, so that every replica can serve them and memory stays flat. They are written
 * and read outside of the caller's transaction, while what they are made of may be read within it.
 */
@Injectable()
export class StoredFiles {
  /** Made outside of any transaction, where its work runs. */
  private readonly outside = new AsyncResource('StoredFiles');

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Writes all of `source`. Rejects with its error, with `payload_too_large` when the account has too much, or on `signal`. */
  write(
    accountId: string,
    source: AsyncIterable<Buffer>,
    signal?: AbortSignal,
  ): Promise<WrittenFile> {
    const inside = readFromHere(source);
    return this.outside.runInAsyncScope(() => this.writeOutside(accountId, inside, signal));
  }

  /** Has a file removed soon, whatever becomes of the caller's transaction. */
  drop(id: string): Promise<void> {
    return this.outside.runInAsyncScope(() => this.keepUntil(id, this.clock.now()));
  }

  /** Has a file removed after that time, if there is one; within the caller's transaction. */
  async keepUntil(id: string | null, expiresAt: Date): Promise<void> {
    if (id !== null) await this.database.repository(StoredFileEntity).update(id, { expiresAt });
  }

  /** The file as it was written, or compressed with Brotli as it is kept; `undefined` when it is gone. */
  open(file: FileOf, compressed = false): Promise<OpenFile | undefined> {
    return this.outside.runInAsyncScope(async () => {
      const row = await this.database.repository(StoredFileEntity).findOneBy({ ...file });
      if (!row) return undefined;
      const storedBytes = Number(row.storedBytes);
      const chunks = readFromHere(this.chunks(file.id, storedBytes));
      const stored = Readable.from(chunks, { objectMode: false });
      return {
        storedBytes,
        content: compressed ? stored : decompress(stored, createBrotliDecompress()),
      };
    });
  }

  private async writeOutside(
    accountId: string,
    source: AsyncIterable<Buffer>,
    signal: AbortSignal | undefined,
  ): Promise<WrittenFile> {
    const id = newUuid();
    const now = this.clock.now();
    const row = { id, accountId, expiresAt: abandonedAt(now), createdAt: now };
    await this.database.repository(StoredFileEntity).insert(row);
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
      await this.drop(id).catch(() => undefined);
      throw error;
    }
  }

  private async append(
    { id, accountId }: FileOf,
    compressed: AsyncIterable<Buffer>,
  ): Promise<void> {
    let number = 0;
    for await (const bytes of inPieces(compressed)) {
      number += 1;
      const expiresAt = abandonedAt(this.clock.now());
      const values = [id, accountId, number, bytes, expiresAt, MAX_STORED_BYTES];
      const rows = await this.database.run(APPEND, values);
      if (rows.length === 0) throw tooMuchStored();
    }
  }

  private async *chunks(fileId: string, storedBytes: number): AsyncGenerator<Buffer> {
    let left = storedBytes;
    for (let number = 1; left > 0; number += 1) {
      const chunks = this.database.repository(StoredFileChunkEntity);
      const row = await chunks.findOneBy({ fileId, number });
      if (!row) throw new Error('A stored file was removed while it was read.');
      left -= row.bytes.length;
      yield row.bytes;
    }
  }
}

@Module({ providers: [StoredFiles], exports: [StoredFiles] })
export class StoredFilesModule {}

/** What `decompressor` makes of `source`. Whoever reads it is told of an error of either; breaking one breaks the other. */
export function decompress(source: Readable, decompressor: Transform): Readable {
  // Before anybody reads, and after `pipeline` has seen the end of the source, nobody else would listen, which would end
  // the process.
  decompressor.on('error', () => undefined);
  return pipe(source, decompressor, () => undefined);
}

/** `source`, whose statements belong to the transaction of this call, or to none as it does, whoever reads it. */
function readFromHere(source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const here = AsyncLocalStorage.snapshot();
  const iterator = source[Symbol.asyncIterator]();
  const end = { done: true as const, value: undefined };
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => here(() => iterator.next()),
      return: () => here(async () => (await iterator.return?.()) ?? end),
    }),
  };
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
