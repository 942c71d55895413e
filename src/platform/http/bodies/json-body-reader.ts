import {
  Injectable,
  SetMetadata,
  type ExecutionContext,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { Config } from '../../config/config.js';
import { AppError } from '../../basics/errors/app-error.js';
import { unavailableIfBusy, ThreadPool } from '../../threads/thread-pool.js';
import { threadModule } from '../../threads/thread-task.js';
import { hasBodyParameter } from '../route-parameters.js';
import type { BodyReservation } from './body-budget.js';
import type { ParsedBody } from './json-body-thread.js';
import { parseJsonObject, restoreSources } from './json-text.js';
import { receiveBytes } from './receive-body.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** The body as sent, or bytes that are the same in every retry. Released after the response. */
    bodyBytes?: Buffer;
    /** SHA-256 of a body whose bytes are not in memory. */
    bodyHash?: Buffer;
  }
}

const WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

const WITHOUT_BODY = 'without body';

/** Declares that the route ignores a body. */
export const WithoutBody = () => SetMetadata(WITHOUT_BODY, true);

/** Bodies larger than this are parsed in a thread. Parsing this many bytes of nothing but names takes about 20 ms. */
const LARGE_BODY_BYTES = 64 * 1024;

const BUSY = 'Too many large bodies are being read right now. Try again shortly.';

/** Parses large request bodies in threads: 8 MiB of escapes or names take hundreds of milliseconds. */
@Injectable()
export class JsonBodyThreads implements OnApplicationShutdown {
  private readonly pool = new ThreadPool({
    ...threadModule(import.meta.url, 'json-body-thread'),
    threads: 2,
    maxWaiting: 256,
    maxOfOwner: 128,
    timeLimitMs: 30_000,
    waitLimitMs: 20_000,
    idleMs: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 },
  });

  /**
   * Parses like `parseJsonObject`, and hashes the bytes with SHA-256. The bytes move to the thread. The threads are
   * shared fairly between owners. Throws `unavailable` if too many bodies wait.
   */
  async parse(
    owner: string,
    bytes: Buffer,
  ): Promise<{ value: Record<string, unknown>; hash: Buffer }> {
    try {
      const transferList = [bytes.buffer as ArrayBuffer];
      const parsed = (await this.pool.run(owner, bytes, { transferList })) as ParsedBody;
      const { value, sources, hash } = parsed;
      restoreSources(value, sources);
      return { value, hash: Buffer.from(hash) };
    } catch (error) {
      throw unavailableIfBusy(error, BUSY);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }
}

@Injectable()
export class JsonBodyReader {
  constructor(
    private readonly config: Config,
    private readonly reflector: Reflector,
    private readonly threads: JsonBodyThreads,
  ) {}

  /** Returns true if the route takes a JSON body. A DELETE takes one if its handler does, such as a typed confirmation. */
  takesBody(context: ExecutionContext, { method }: Request): boolean {
    if (method === 'DELETE') return hasBodyParameter(context);
    return WITH_BODY.has(method) && !this.reflector.get(WITHOUT_BODY, context.getHandler());
  }

  /** Sets the parsed body on the request. Throws an AppError for an invalid body. */
  async read(request: Request, response: Response, reservation: BodyReservation): Promise<void> {
    if (hasNoBody(request)) {
      request.body = {};
      return;
    }
    requireJson(request, response);
    const maxBytes = this.config.bodyLimit;
    const bounds = { maxBytes, tooLarge: () => bodyTooLarge(maxBytes) };
    const bytes = await receiveBytes(request, reservation, bounds);
    if (bytes.length > LARGE_BODY_BYTES) {
      const owner = request.principal?.accountId ?? request.ip ?? '';
      const { value, hash } = await this.threads.parse(owner, bytes);
      request.bodyHash = hash;
      request.body = value;
      return;
    }
    request.bodyBytes = bytes;
    request.body = parseJsonObject(bytes);
  }
}

/**
 * True for an empty body without a content type; the route then reports missing fields. Many POSTs take no body, and many
 * clients send a content type anyway.
 */
function hasNoBody({ method, headers }: Request): boolean {
  return (
    headers['transfer-encoding'] === undefined &&
    (headers['content-type'] === undefined || method === 'POST') &&
    Number(headers['content-length'] ?? 0) === 0
  );
}

/** Media types that PATCH accepts; both mean a merge patch. */
const PATCH_TYPES = ['application/merge-patch+json', 'application/json'];

function requireJson(request: Request, response: Response): void {
  const type = request.headers['content-type'] ?? '';
  const [mediaType = '', ...parameters] = type
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const isPatch = request.method === 'PATCH';
  if (isPatch ? !PATCH_TYPES.includes(mediaType) : mediaType !== 'application/json') {
    // RFC 5789, section 2.2: list the supported patch formats.
    if (isPatch) response.setHeader('Accept-Patch', PATCH_TYPES.join(', '));
    throw new AppError(
      'unsupported_media_type',
      'Send the body as JSON with the header Content-Type: application/json.',
      {
        field: 'Content-Type',
        issue: type === '' ? 'is missing' : 'is not application/json',
      },
    );
  }
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice(8);
  if (charset !== undefined && !['utf-8', 'utf8'].includes(charset.replaceAll('"', ''))) {
    throw new AppError('unsupported_media_type', 'Send the body encoded as UTF-8.', {
      field: 'Content-Type',
      issue: 'names a charset other than utf-8',
    });
  }
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new AppError(
      'unsupported_media_type',
      'Send the body without Content-Encoding; compressed bodies are not supported.',
      {
        field: 'Content-Encoding',
        issue: 'is not identity',
      },
    );
  }
}

export function bodyTooLarge(maxBytes: number): AppError {
  return new AppError(
    'payload_too_large',
    `The body is larger than ${String(maxBytes)} bytes. Send less at once.`,
    { maxBytes },
  );
}
