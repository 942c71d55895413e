import { createHash } from 'node:crypto';
import { PassThrough, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { runningTime } from '../../platform/basics/clock/time-limit.js';
import type { BodyReader } from '../../platform/http/bodies/body-readers.js';
import type { BodyReservation } from '../../platform/http/bodies/body-budget.js';
import { announcedLength, brokenOff } from '../../platform/http/bodies/receive-body.js';
import { AppError } from '../../platform/basics/errors/app-error.js';
import { decompress, StoredFiles, type WrittenFile } from '../jobs/stored-files.js';
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
/** How long an upload may take. */
const LONGEST_MS = 6 * 60 * 60 * 1000;
/** What an upload of any length holds at once: windows and buffers of both compressions, and the piece that is stored. */
const HELD_BYTES = 8 * 1024 ** 2;

const DECOMPRESSORS = new Map([
  ['gzip', createGunzip],
  ['br', createBrotliDecompress],
]);

/** Takes an archive in as it comes, into the database, where every worker finds it. */
@Injectable()
export class ArchiveUpload implements BodyReader {
  constructor(private readonly files: StoredFiles) {}

  /** Puts the file on the request. Throws an AppError that says what is wrong; what was written is removed then. */
  async read(request: Request, _: Response, room: BodyReservation): Promise<void> {
    const accountId = request.principal?.accountId ?? '';
    const hash = createHash('sha256');
    try {
      requireMediaType(request);
      room.reserve(Math.min(HELD_BYTES, announcedLength(request) || HELD_BYTES));
      const body = decompressed(request, room);
      request.mayTakeLong = true;
      const archive = await this.files.write(
        accountId,
        bounded(body, (bytes) => hash.update(bytes)),
      );
      if (archive.bytes === 0) {
        await this.files.drop(archive.id);
        throw emptyArchive();
      }
      request.archive = archive;
      request.bodyHash = hash.digest();
    } catch (error) {
      throw failureOf(error, request);
    }
  }
}

function requireMediaType({ headers }: Request): void {
  const mediaType = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!MEDIA_TYPES.includes(mediaType)) throw noArchive();
}

function decompressed(request: Request, room: BodyReservation): Readable {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const body = arriving(request, room);
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

/** The body as a stream that may end before it: the request's own must stay, its connection is to carry the answer. */
function arriving(request: Request, room: BodyReservation): Readable {
  const body = new PassThrough();
  // Before anybody reads it, nobody else would listen, which would end the process.
  body.on('error', () => undefined);
  const cutOff = () => {
    if (!request.complete) body.destroy(brokenOff());
  };
  room.onEnd((reason) => body.destroy(reason));
  request
    .on('data', (piece: Buffer) => (room.received += piece.length))
    .on('end', () => {
      room.arrived();
    })
    .on('close', cutOff);
  if (request.destroyed) cutOff();
  return request.pipe(body);
}

/** The pieces of a body that is neither too long nor takes too long. */
async function* bounded(body: Readable, each: (bytes: Buffer) => void): AsyncGenerator<Buffer> {
  const end = runningTime() + LONGEST_MS;
  let length = 0;
  for await (const bytes of body as AsyncIterable<Buffer>) {
    length += bytes.length;
    if (length > MAX_BYTES) throw tooLarge();
    if (runningTime() > end) throw tookTooLong();
    each(bytes);
    yield bytes;
  }
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
  return brokenOff();
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

function tookTooLong(): AppError {
  return new AppError(
    'request_timeout',
    `An archive must arrive within ${String(LONGEST_MS / 3_600_000)} hours. Send it compressed, or over a faster connection.`,
  );
}
