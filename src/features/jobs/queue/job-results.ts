import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { setFileName } from '../../../platform/http/file-name.js';
import { hasEnded, type FileResult, type Job } from '../job.js';
import type { JobStatus } from './job-state.js';
import { StoredFilesRepository } from '../stored-files.repository.js';

/** Sends the result files of jobs. */
@Injectable()
export class JobResults {
  constructor(
    private readonly files: StoredFilesRepository,
    private readonly clock: Clock,
  ) {}

  /** Sends the file. Throws `conflict` if the job has none, and `not_found` if it has expired. */
  async send(job: Job, request: Request, response: Response): Promise<void> {
    if (job.status !== 'succeeded') throw notFinished(job.status);
    if (job.resultFileId === null) throw noFile();
    const result = job.result as unknown as FileResult;
    if (Date.parse(result.expiresAt) <= this.clock.now().getTime()) throw resultExpired();
    const compressed = request.acceptsEncodings('br', 'identity') === 'br';
    const stored = { accountId: job.accountId, id: job.resultFileId };
    const file = await this.files.open(stored, compressed);
    if (!file) throw resultExpired();
    setFileName(response, result.fileName);
    response.setHeader('Content-Type', result.mediaType);
    response.setHeader('Cache-Control', 'private, no-store');
    response.setHeader('Vary', 'Accept-Encoding');
    if (compressed) response.setHeader('Content-Encoding', 'br');
    response.setHeader('Content-Length', compressed ? file.storedBytes : result.bytes);
    if (request.method === 'HEAD') {
      file.content.destroy();
      response.end();
      return;
    }
    // On an error, the connection closes, which clients detect from the Content-Length.
    await pipeline(file.content, response).catch(() => undefined);
  }
}

export function notFinished(status: JobStatus): AppError {
  const why = hasEnded({ status })
    ? `This job has ${status === 'cancelled' ? 'been cancelled' : status}, so it has no result.`
    : 'This job has not finished. Read it again in a few seconds, and fetch its result once it has succeeded.';
  return new AppError(
    'conflict',
    why,
    { status },
    hasEnded({ status }) ? {} : { retryAfterSeconds: 2 },
  );
}

function noFile(): AppError {
  return new AppError(
    'conflict',
    'This job has no result file. Read the job: it contains the result.',
    { status: 'succeeded' },
  );
}

export function resultExpired(): AppError {
  return new AppError('not_found', 'The result of this job has expired. Start a new job.');
}
