import { Injectable, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { Config } from '../../config/config.js';
import { AppError } from '../../basics/errors/app-error.js';
import type { BodyReservation } from './body-reservation.js';
import { BufferBuilder } from './buffer-builder.js';
import { JsonBodyThreads } from './json-body-threads.js';
import { parseJsonObject } from './json-text.js';
import { announcedLength, receiveBody } from './receive-body.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** The body as it came, or what stands for it in every retry, until its request is answered. */
    bodyBytes?: Buffer;
    /** SHA-256 of a body that is not held in memory. */
    bodyHash?: Buffer;
  }
}

const WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

const WITHOUT_BODY = 'without body';

/** The route answers without looking at a body. */
export const WithoutBody = () => SetMetadata(WITHOUT_BODY, true);

const BODY_OF_DELETE = 'body of delete';

/** The route is a DELETE that takes a body, such as what must be typed to confirm it. */
export const WithBodyOfDelete = () => SetMetadata(BODY_OF_DELETE, true);

/** Larger bodies are parsed in a thread: nothing but names, these take some 20 ms. */
const LARGE_BODY_BYTES = 64 * 1024;

/** Reads JSON bodies, for the routes that take one. */
@Injectable()
export class JsonBodyReader {
  constructor(
    private readonly config: Config,
    private readonly reflector: Reflector,
    private readonly threads: JsonBodyThreads,
  ) {}

  /** Whether the request has a body that its route wants. */
  isWanted(context: ExecutionContext, { method }: Request): boolean {
    const handler = context.getHandler();
    if (method === 'DELETE') return this.reflector.get(BODY_OF_DELETE, handler) === true;
    return WITH_BODY.has(method) && !this.reflector.get(WITHOUT_BODY, handler);
  }

  /** Puts the parsed body on the request. Throws an AppError that says what is wrong with it. */
  async read(request: Request, response: Response, room: BodyReservation): Promise<void> {
    if (hasNoBody(request)) {
      request.body = {};
      return;
    }
    requireJson(request, response);
    const maxBytes = this.config.bodyLimit;
    const body = new BufferBuilder(announcedLength(request));
    await receiveBody(
      request,
      room,
      { maxBytes, tooLarge: () => bodyTooLarge(maxBytes) },
      (piece) => {
        body.append(piece);
      },
    );
    const bytes = body.bytes();
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
 * Neither a body nor a type for one: the route says what is missing, if anything is. Many POSTs take no body, and many
 * clients name a type all the same.
 */
function hasNoBody({ method, headers }: Request): boolean {
  return (
    headers['transfer-encoding'] === undefined &&
    (headers['content-type'] === undefined || method === 'POST') &&
    Number(headers['content-length'] ?? 0) === 0
  );
}

/** What a PATCH takes; both are read as a merge patch. */
const PATCH_TYPES = ['application/merge-patch+json', 'application/json'];

function requireJson(request: Request, response: Response): void {
  const type = request.headers['content-type'] ?? '';
  const [mediaType = '', ...parameters] = type
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const isPatch = request.method === 'PATCH';
  if (isPatch ? !PATCH_TYPES.includes(mediaType) : mediaType !== 'application/json') {
    // Who sends a patch of another kind is told which ones there are (RFC 5789, 2.2).
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
      'Send the body without Content-Encoding; compressed bodies are not read.',
      {
        field: 'Content-Encoding',
        issue: 'is not identity',
      },
    );
  }
}

/** The answer to a body that is larger than the service reads. */
export function bodyTooLarge(maxBytes: number): AppError {
  return new AppError(
    'payload_too_large',
    `The body is larger than ${String(maxBytes)} bytes. Send less at once.`,
    { maxBytes },
  );
}
