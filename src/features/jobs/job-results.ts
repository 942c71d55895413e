import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Clock } from '../../platform/basics/clock/clock.js';
import { AppError } from '../../platform/basics/errors/app-error.js';
import { hasEnded, type FileResult, type Job } from './job.js';
import type { JobStatus } from './job-state.js';
import { StoredFiles } from './stored-files.js';

/** Hands out the files that jobs have made. */
@Injectable()
export class JobResults {
  constructor(
    private readonly files: StoredFiles,
    private readonly clock: Clock,
  ) {}

  /** Answers with the file. Throws `conflict` for a job that has not made one, and `not_found` when it has expired. */
  async send(job: Job, request: Request, response: Response): Promise<void> {
    if (job.status !== 'succeeded') throw notDone(job.status);
    if (job.resultFileId === null) throw noFile();
    const result = job.result as unknown as FileResult;
    if (Date.parse(result.expiresAt) <= this.clock.now().getTime()) throw resultGone();
    const compressed = request.acceptsEncodings('br', 'identity') === 'br';
    const of = { accountId: job.accountId, id: job.resultFileId };
    const file = await this.files.open(of, compressed);
    if (!file) throw resultGone();
    response.attachment(result.fileName);
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
    // What breaks off on either side closes the connection: the length that was announced tells the client.
    await pipeline(file.content, response).catch(() => undefined);
  }
}

/** The answer to fetching what is not there yet, or never will be. */
export function notDone(status: JobStatus): AppError {
  const why = hasEnded({ status })
    ? `This job has ${status === 'cancelled' ? 'been cancelled' : status}, so there is nothing to fetch.`
    : 'This job has not ended. Read it again in a few seconds, and fetch its result once it has succeeded.';
  return new AppError(
    'conflict',
    why,
    { status },
    hasEnded({ status }) ? {} : { retryAfterSeconds: 2 },
  );
}

/** The answer to fetching a file from a job whose result is JSON. */
function noFile(): AppError {
  return new AppError(
    'conflict',
    'This job has made no file. Read the job: its result stands there.',
    { status: 'succeeded' },
  );
}

/** The answer to fetching what was removed. */
export function resultGone(): AppError {
  return new AppError('not_found', 'The result of this job has expired. Ask for a new one.');
}
