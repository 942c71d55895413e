import { Injectable, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { Config } from '../config/config.js';
import { AppError } from '../errors/app-error.js';
import { parseJsonObject } from './json-text.js';
import { discardRest } from './unread-body.js';

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

/** Reads JSON bodies, for the routes that take one. */
@Injectable()
export class JsonBodyReader {
  constructor(
    private readonly config: Config,
    private readonly reflector: Reflector,
  ) {}

  /** Whether the request has a body that its route wants. */
  isWanted(context: ExecutionContext, { method }: Request): boolean {
    return WITH_BODY.has(method) && !this.reflector.get(WITHOUT_BODY, context.getHandler());
  }

  /** Puts the parsed body on the request. Throws an AppError that says what is wrong with it. */
  async read(request: Request, response: Response): Promise<void> {
    if (hasNoBody(request)) {
      request.body = {};
      return;
    }
    requireJson(request, response);
    request.bodyBytes = await readBody(request, this.config.bodyLimit);
    request.body = parseJsonObject(request.bodyBytes);
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

function readBody(request: Request, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const refuse = () => {
      request.off('data', collect);
      discardRest(request);
      reject(
        new AppError(
          'payload_too_large',
          `The body is larger than ${String(limit)} bytes. Send less at once.`,
          {
            maxBytes: limit,
          },
        ),
      );
    };
    const chunks: Buffer[] = [];
    let length = 0;
    const collect = (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) refuse();
      else chunks.push(chunk);
    };
    if (Number(request.headers['content-length'] ?? 0) > limit) {
      refuse();
      return;
    }
    request.on('data', collect);
    request.once('end', () => {
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    });
    const cutOff = () => {
      // Every request closes in the end; only one that is not complete was cut off.
      if (request.complete) return;
      reject(
        new AppError('bad_request', 'The body ended before its announced length. Send it again.'),
      );
    };
    // The client may have gone while the guards were at work.
    if (request.destroyed) cutOff();
    request.once('close', cutOff);
    request.once('error', cutOff);
  });
}
