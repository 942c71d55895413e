import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { runningTime, within } from '../clock/time-limit.js';
import type { BodyReader } from '../envelope/body-readers.js';
import { discardRest } from '../envelope/unread-body.js';
import { AppError } from '../errors/app-error.js';
import { decompress } from '../jobs/files/decompress.js';
import { StoredFiles, type WrittenFile } from '../jobs/files/stored-files.js';
import { MEDIA_TYPE } from './archive-format.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** The archive that came as its body. */
    archive?: WrittenFile;
  }
}

const MEDIA_TYPES = [MEDIA_TYPE, 'application/ndjson', 'application/jsonl'];
/** Uncompressed. */
const MAX_BYTES = 64 * 1024 ** 3;
/** How long an upload may stand still, and take in all. */
const IDLE_MS = 30_000;
const LONGEST_MS = 6 * 60 * 60 * 1000;

const DECOMPRESSORS = new Map([
  ['gzip', createGunzip],
  ['br', createBrotliDecompress],
]);

/** Takes an archive in as it comes, into the database, where every worker finds it. */
@Injectable()
export class ArchiveUpload implements BodyReader {
  constructor(private readonly files: StoredFiles) {}

  /** Puts the file on the request. Throws an AppError that says what is wrong; what was written is removed then. */
  async read(request: Request): Promise<void> {
    const accountId = request.principal?.accountId ?? '';
    const hash = createHash('sha256');
    try {
      requireMediaType(request);
      const body = decompressed(request);
      request.mayTakeLong = true;
      const archive = await this.files.write(
        accountId,
        moving(body, (bytes) => hash.update(bytes)),
      );
      if (archive.bytes === 0) {
        await this.files.drop({ accountId, id: archive.id });
        throw emptyArchive();
      }
      request.archive = archive;
      request.bodyHash = hash.digest();
    } catch (error) {
      discardRest(request);
      throw failureOf(error, request);
    }
  }
}

function requireMediaType({ headers }: Request): void {
  const mediaType = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!MEDIA_TYPES.includes(mediaType)) throw noArchive();
}

function decompressed(request: Request): Readable {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  // Whoever breaks off reading the body must not close the connection, which is still to carry the answer.
  const body = Readable.from(request.iterator({ destroyOnReturn: false }), { objectMode: false });
  if (encoding === 'identity') return body;
  const decompressor = DECOMPRESSORS.get(encoding);
  if (!decompressor) {
    throw new AppError(
      'unsupported_media_type',
      'Send the archive as it is, or compressed with gzip or Brotli and the header Content-Encoding: gzip or br.',
      { field: 'Content-Encoding', issue: 'is not identity, gzip or br' },
    );
  }
  return decompress(body, decompressor());
}

/** The pieces of a body that keeps moving. */
async function* moving(body: Readable, each: (bytes: Buffer) => void): AsyncGenerator<Buffer> {
  const end = runningTime() + LONGEST_MS;
  const pieces = body[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  let bytes = 0;
  try {
    for (;;) {
      const { value, done } = await within(
        Math.min(IDLE_MS, end - runningTime()),
        pieces.next(),
        tooSlow,
      );
      if (done === true) return;
      bytes += value.length;
      if (bytes > MAX_BYTES) throw tooLarge();
      each(value);
      yield value;
    }
  } finally {
    body.destroy();
  }
}

function tooSlow(): AppError {
  return new AppError('request_timeout', 'The request took too long to arrive. Send it again.');
}

function failureOf(error: unknown, request: Request): unknown {
  if (error instanceof AppError) return error;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && /^(Z_|ERR_(_ERROR|BROTLI))/.test(code)) {
    return new AppError(
      'bad_request',
      'The body is not what its Content-Encoding says, or was cut off. Send it again.',
      { field: 'body', issue: 'cannot be decompressed' },
    );
  }
  if (request.complete) return error;
  return new AppError('bad_request', 'The body ended before its announced length. Send it again.');
}

/** The answer to a body that is no archive. */
export function noArchive(): AppError {
  return new AppError(
    'unsupported_media_type',
    `Send the archive with the header Content-Type: ${MEDIA_TYPE}.`,
    { field: 'Content-Type', issue: `is not ${MEDIA_TYPE}` },
  );
}

function emptyArchive(): AppError {
  return new AppError('bad_request', 'The body is empty. Send an archive.', {
    field: 'body',
    issue: 'is empty; send an archive',
  });
}

function tooLarge(): AppError {
  return new AppError(
    'payload_too_large',
    `An archive may have ${String(MAX_BYTES / 1024 ** 3)} GiB uncompressed.`,
    { maxBytes: MAX_BYTES },
  );
}
