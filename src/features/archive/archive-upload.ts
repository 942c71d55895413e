import { createHash } from 'node:crypto';
import { PassThrough, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { runningTime } from '../../platform/basics/clock/time-limit.js';
import type { BodyReader } from '../../platform/http/bodies/body.interceptor.js';
import type { BodyReservation } from '../../platform/http/bodies/body-budget.js';
import { announcedLength, brokenOff } from '../../platform/http/bodies/receive-body.js';
import { AppError } from '../../platform/basics/errors/app-error.js';
import { JobQueue } from '../jobs/queue/job-queue.js';
import {
  decompress,
  StoredFilesRepository,
  type WrittenFile,
} from '../jobs/stored-files.repository.js';
import type { Principal } from '../auth/principal.js';
import { QuotasService } from '../usage/quotas/quotas.service.js';
import { MEDIA_TYPE } from './archive-format.js';
import { ArchiveRepository } from './archive.repository.js';
import { ACCOUNT_IMPORT, requireEmpty } from './import/account-import.js';
import { withValidHeader } from './import/archive-records.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** The archive in the request body, or the reason why it was not stored. */
    archive?: WrittenFile | AppError;
  }
}

const MEDIA_TYPES = [MEDIA_TYPE, 'application/ndjson', 'application/jsonl'];
/** Maximum uncompressed size. */
const MAX_BYTES = 64 * 1024 ** 3;
/** Maximum duration of an upload. */
const MAX_UPLOAD_MS = 6 * 60 * 60 * 1000;
/** Memory that an upload of any length uses: compression buffers and the chunk to store. */
const BUFFERED_BYTES = 8 * 1024 ** 2;

const DECOMPRESSORS = new Map([
  ['gzip', createGunzip],
  ['br', createBrotliDecompress],
]);

/**
 * Streams an uploaded archive to the database, where every worker can read it. What can be refused is refused before
 * anything is stored, and the stored bytes count against the account's storage.
 */
@Injectable()
export class ArchiveUpload implements BodyReader {
  constructor(
    private readonly files: StoredFilesRepository,
    private readonly store: ArchiveRepository,
    private readonly queue: JobQueue,
    private readonly quotas: QuotasService,
  ) {}

  /** Sets `request.archive`. If it throws, nothing of the body remains stored. */
  async read(request: Request, response: Response, reservation: BodyReservation): Promise<void> {
    const { principal } = request;
    if (!principal) throw new Error('An import requires an authenticated request.');
    const hash = createHash('sha256');
    try {
      requireMediaType(request);
      if (announcedLength(request) > MAX_BYTES) throw tooLarge();
      request.mayTakeLong = true;
      const refusal = await this.refusalFor(principal.accountId);
      // A retry gets the response of the first request, whatever has happened since. It depends on the body's hash.
      if (refusal && request.headers['idempotency-key'] === undefined) throw refusal;
      reservation.reserve(Math.min(BUFFERED_BYTES, announcedLength(request) || BUFFERED_BYTES));
      const body = decompressed(request, reservation);
      const content = withValidHeader(bounded(body, (bytes) => hash.update(bytes)));
      request.archive = refusal ?? (await this.keep(content, principal));
      if (refusal) await discard(content);
      request.bodyHash = hash.digest();
    } catch (error) {
      throw failureOf(error, request);
    }
    this.dropUnused(request, response);
  }

  /** Returns the error if the account cannot import anything now. */
  private async refusalFor(accountId: string): Promise<AppError | undefined> {
    try {
      await requireEmpty(this.store, accountId);
      await this.queue.requireNone(ACCOUNT_IMPORT, accountId);
      return undefined;
    } catch (error) {
      if (error instanceof AppError && error.kind === 'conflict') return error;
      throw error;
    }
  }

  private async keep(content: AsyncIterable<Buffer>, principal: Principal): Promise<WrittenFile> {
    const archive = await this.files.writeUpload(principal.accountId, content, async (bytes) => {
      const used = await this.quotas.lockLimitedDocuments(principal);
      await used?.claim({ documents: 0, bytes });
    });
    if (archive.bytes > 0) return archive;
    await this.files.drop(archive.id);
    throw emptyArchive();
  }

  /** Removes an archive that the handler did not use: a repeated request gets the stored response. */
  private dropUnused(request: Request, response: Response): void {
    response.once('finish', () => {
      const { archive } = request;
      // If this fails, the file expires.
      if (archive && 'id' in archive) this.files.drop(archive.id).catch(() => undefined);
    });
  }
}

async function discard(content: AsyncGenerator<Buffer>): Promise<void> {
  while (!(await content.next()).done);
}

function requireMediaType({ headers }: Request): void {
  const mediaType = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!MEDIA_TYPES.includes(mediaType)) throw noArchive();
}

function decompressed(request: Request, reservation: BodyReservation): Readable {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const body = arriving(request, reservation);
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

/** Returns the body as a separate stream. It can be destroyed while the request's connection stays open for the response. */
function arriving(request: Request, reservation: BodyReservation): Readable {
  const body = new PassThrough();
  // An error event without a listener would crash the process.
  body.on('error', () => undefined);
  const cutOff = () => {
    if (!request.complete) body.destroy(brokenOff());
  };
  reservation.onEnd((reason) => body.destroy(reason));
  request
    .on('data', (piece: Buffer) => (reservation.received += piece.length))
    .on('end', () => {
      reservation.arrived();
    })
    .on('close', cutOff);
  if (request.destroyed) cutOff();
  return request.pipe(body);
}

/** Passes chunks through. Throws if the body is too large or takes too long. */
async function* bounded(body: Readable, each: (bytes: Buffer) => void): AsyncGenerator<Buffer> {
  const end = runningTime() + MAX_UPLOAD_MS;
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
      'The body does not match its Content-Encoding or is incomplete. Send it again.',
      { field: 'body', issue: 'cannot be decompressed' },
    );
  }
  if (request.complete) return error;
  return brokenOff();
}

/** Returns the error for a body that is not an archive. */
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
    `An archive can have at most ${String(MAX_BYTES / 1024 ** 3)} GiB uncompressed.`,
    { maxBytes: MAX_BYTES },
  );
}

function tookTooLong(): AppError {
  return new AppError(
    'request_timeout',
    `An archive must arrive within ${String(MAX_UPLOAD_MS / 3_600_000)} hours. Compress it, or use a faster connection.`,
  );
}
