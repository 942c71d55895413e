import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { BodyReservation } from '../../platform/http/bodies/body-budget.js';
import type { BodyReader } from '../../platform/http/bodies/body.interceptor.js';
import { bodyTooLarge } from '../../platform/http/bodies/json-body-reader.js';
import { receiveBytes } from '../../platform/http/bodies/receive-body.js';
import { isObject } from '../../platform/http/bodies/json-text.js';
import { OAuthError } from './oauth-error.js';

const MAX_BYTES = 16 * 1024;

/** Reads the small bodies of the OAuth routes, a form or JSON, as bytes. */
@Injectable()
export class OAuthBodyReader implements BodyReader {
  async read(request: Request, _: Response, reservation: BodyReservation): Promise<void> {
    const bounds = { maxBytes: MAX_BYTES, tooLarge: () => bodyTooLarge(MAX_BYTES) };
    request.bodyBytes = await receiveBytes(request, reservation, bounds);
  }
}

/** The parameters of a form. */
export class Form {
  private readonly parameters: URLSearchParams;

  /** Throws an {@link OAuthError} for a body of another type. */
  constructor(request: Request) {
    requireType(request, 'application/x-www-form-urlencoded');
    this.parameters = new URLSearchParams(request.bodyBytes?.toString() ?? '');
  }

  /** Returns a parameter; `undefined` without it. Throws an {@link OAuthError} for a repeated one. */
  optional(name: string): string | undefined {
    const [value, ...more] = this.parameters.getAll(name);
    if (more.length > 0) throw new OAuthError('invalid_request', `Send ${name} once.`);
    return value === '' ? undefined : value;
  }

  /** Throws an {@link OAuthError} without it. */
  required(name: string): string {
    const value = this.optional(name);
    if (value === undefined) throw new OAuthError('invalid_request', `Send ${name}.`);
    return value;
  }
}

/** Returns the JSON object in the body. Throws an {@link OAuthError}. */
export function jsonOf(request: Request): Record<string, unknown> {
  requireType(request, 'application/json');
  try {
    const value: unknown = JSON.parse(request.bodyBytes?.toString() ?? '');
    if (isObject(value)) return value;
  } catch {
    // Reported below.
  }
  throw new OAuthError('invalid_client_metadata', 'Send a JSON object.');
}

function requireType({ headers }: Request, type: string): void {
  const [sent = ''] = (headers['content-type'] ?? '').toLowerCase().split(';');
  if (sent.trim() !== type) {
    throw new OAuthError('invalid_request', `Send the body with the header Content-Type: ${type}.`);
  }
}
