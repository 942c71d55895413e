import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { pipeline as pipe, Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createBrotliDecompress } from 'node:zlib';
import { Injectable, Module } from '@nestjs/common';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import {
  HOUR_MS,
  MINUTE_MS,
  RunsInBackground,
  type BackgroundTask,
} from '../../platform/background/background-tasks.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../platform/database/database.js';
import { AppError } from '../../platform/basics/errors/app-error.js';
import { newUuid } from '../../platform/basics/identifiers/identifiers.js';
import { StoredFileChunkEntity, StoredFileEntity } from './entities/stored-file.entity.js';

const CHUNK_BYTES = 256 * 1024;
/** Maximum compressed size of all files of an account. */
const MAX_STORED_BYTES = 4 * 1024 ** 3;
/** A file is removed this long after its last write, unless a job needs it. */
const ABANDONED_AFTER_MS = HOUR_MS;
/** Chunks removed per statement: 50 MiB. */
const PURGE_CHUNKS = 200;

/**
 * Fast, with a window of 4 MiB, so consecutive versions of a text take little more space than one. Runs in Node's thread
 * pool, not on the event loop.
 */
const COMPRESSION = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 22 },
};

/** Returns no row if the account's limit is reached. */
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

/** Removes chunks of one expired file, and the file with its last chunks. */
const PURGE: Statement = {
  name: 'stored-files.purge',
  text: `WITH due AS MATERIALIZED (
      SELECT id FROM stored_files WHERE expires_at <= $1 ORDER BY expires_at LIMIT 1 FOR UPDATE SKIP LOCKED
    ), chunks AS (
      DELETE FROM stored_file_chunks WHERE (file_id, number) IN (
        SELECT file_id, number FROM stored_file_chunks WHERE file_id IN (SELECT id FROM due) LIMIT ${String(PURGE_CHUNKS)})
      RETURNING file_id
    ), gone AS (
      DELETE FROM stored_files
       WHERE id IN (SELECT id FROM due) AND (SELECT count(*) FROM chunks) < ${String(PURGE_CHUNKS)}
    )
    SELECT id FROM due`,
};

/** Removes chunks of one file. */
const REMOVE_CHUNKS: Statement = {
  name: 'stored-files.remove-chunks',
  text: `DELETE FROM stored_file_chunks WHERE (file_id, number) IN (
           SELECT file_id, number FROM stored_file_chunks WHERE file_id = $1 LIMIT ${String(PURGE_CHUNKS)})
         RETURNING true`,
};

/** Ids are UUIDs. */
interface FileKey {
  accountId: string;
  id: string;
}

/** A written file. It is removed soon, unless {@link StoredFilesRepository.setExpiry} extends its time. */
export interface WrittenFile {
  id: string;
  /** Uncompressed. */
  bytes: number;
}

type Admission = (bytes: number) => Promise<void>;

interface OpenFile {
  /** Compressed. */
  storedBytes: number;
  content: Readable;
}

/**
 * Stores files of any size in PostgreSQL in chunks, so every replica can serve them with constant memory. Reads and
 * writes files outside the caller's transaction, but reads the source of a new file within it.
 */
@Injectable()
export class StoredFilesRepository {
  /** Created outside any transaction, and runs the file's statements there. */
  private readonly outside = new AsyncResource('StoredFiles');

  constructor(
    private readonly database: Database,
    @InjectRepository(StoredFileEntity) private readonly files: Repository<StoredFileEntity>,
    @InjectRepository(StoredFileChunkEntity)
    private readonly fileChunks: Repository<StoredFileChunkEntity>,
    private readonly clock: Clock,
  ) {}

  /** Rejects with an error of `source`, with `payload_too_large` if the account's limit is reached, or on `signal`. */
  write(
    accountId: string,
    source: AsyncIterable<Buffer>,
    signal?: AbortSignal,
  ): Promise<WrittenFile> {
    const inside = readFromHere(source);
    return this.outside.runInAsyncScope(() => this.writeOutside(accountId, inside, { signal }));
  }

  /**
   * Writes a file that a client sends. `admit` runs in the transaction that stores the next bytes, and rejects if there is
   * no capacity for them. Nothing of a file that is cut off or refused remains. Rejects like {@link write}.
   */
  writeUpload(
    accountId: string,
    source: AsyncIterable<Buffer>,
    admit: (bytes: number) => Promise<void>,
  ): Promise<WrittenFile> {
    const inside = readFromHere(source);
    return this.outside.runInAsyncScope(() => this.writeOutside(accountId, inside, { admit }));
  }

  /** Removes a file, even if the caller's transaction rolls back. */
  drop(id: string): Promise<void> {
    return this.outside.runInAsyncScope(async () => {
      // First, so that the file is removed later if this process ends now.
      await this.setExpiry(id, this.clock.now());
      while ((await this.database.run(REMOVE_CHUNKS, [id])).length === PURGE_CHUNKS);
      await this.files.delete({ id });
    });
  }

  /** Returns the compressed size of a file; 0 if it no longer exists. */
  async storedBytesOf(file: FileKey): Promise<number> {
    const row = await this.files.findOneBy({ ...file });
    return Number(row?.storedBytes ?? 0);
  }

  /** Schedules the removal of a file at `expiresAt` in the caller's transaction. Does nothing for null. */
  async setExpiry(id: string | null, expiresAt: Date): Promise<void> {
    if (id !== null) await this.files.update(id, { expiresAt });
  }

  /** Opens a file, compressed with Brotli on request. Returns `undefined` if it no longer exists. */
  open(file: FileKey, compressed = false): Promise<OpenFile | undefined> {
    return this.outside.runInAsyncScope(async () => {
      const row = await this.files.findOneBy({ ...file });
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
    { signal, admit }: { signal?: AbortSignal | undefined; admit?: Admission },
  ): Promise<WrittenFile> {
    const id = newUuid();
    const now = this.clock.now();
    const isUpload = admit !== undefined;
    const row = { id, accountId, isUpload, expiresAt: abandonedAt(now), createdAt: now };
    await this.files.insert(row);
    const written = { id, bytes: 0 };
    let refusal: unknown;
    try {
      await pipeline(
        Readable.from(counted(source, written), { objectMode: false }),
        createBrotliCompress(COMPRESSION),
        (compressed: AsyncIterable<Buffer>) =>
          this.append({ accountId, id }, compressed, admit).catch((error: unknown) => {
            refusal = error;
            throw error;
          }),
        { signal },
      );
      return written;
    } catch (error) {
      await this.drop(id).catch(() => undefined);
      // The pipeline may report that it ended the source, instead of the reason.
      throw error instanceof AppError ? error : (refusal ?? error);
    }
  }

  private async append(
    { id, accountId }: FileKey,
    compressed: AsyncIterable<Buffer>,
    admit: Admission | undefined,
  ): Promise<void> {
    let number = 0;
    for await (const bytes of inChunks(compressed)) {
      number += 1;
      const expiresAt = abandonedAt(this.clock.now());
      const values = [id, accountId, number, bytes, expiresAt, MAX_STORED_BYTES];
      const rows = await (admit
        ? this.database.transaction(async () => {
            await admit(bytes.length);
            return this.database.run(APPEND, values);
          })
        : this.database.run(APPEND, values));
      if (rows.length === 0) throw tooMuchStored();
    }
  }

  private async *chunks(fileId: string, storedBytes: number): AsyncGenerator<Buffer> {
    let left = storedBytes;
    for (let number = 1; left > 0; number += 1) {
      const row = await this.fileChunks.findOneBy({ fileId, number });
      if (!row) throw new Error('A stored file was removed while it was being read.');
      left -= row.bytes.length;
      yield row.bytes;
    }
  }
}

/** Removes expired files: old results, processed uploads and files that were never completed. */
@RunsInBackground({ name: 'The removal of expired files of jobs', everyMs: MINUTE_MS })
@Injectable()
export class FileRetention implements BackgroundTask {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async runBatch(): Promise<boolean> {
    return (await this.database.run(PURGE, [this.clock.now()])).length > 0;
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([StoredFileEntity, StoredFileChunkEntity])],
  providers: [StoredFilesRepository],
  exports: [StoredFilesRepository],
})
export class StoredFilesModule {}

/** Pipes `source` through `decompressor`. An error in either reaches the reader. Destroying one destroys the other. */
export function decompress(source: Readable, decompressor: Transform): Readable {
  // Without a listener, an error before the first read or after the end of the source would end the process.
  decompressor.on('error', () => undefined);
  return pipe(source, decompressor, () => undefined);
}

/** Returns `source` with its statements bound to the transaction context of this call, no matter where it is read. */
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

export function tooMuchStored(): AppError {
  return new AppError(
    'payload_too_large',
    `Uploads and job results of an account can take up to ${String(MAX_STORED_BYTES / 1024 ** 3)} GiB, compressed. Wait until older ones expire.`,
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

async function* inChunks(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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
