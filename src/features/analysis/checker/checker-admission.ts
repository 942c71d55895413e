import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiKeyAuthenticator, bearerKeyIn } from '../../auth/api-keys/api-key-authenticator.js';
import { requireScope } from '../../auth/guards/scope.guard.js';
import type { KeyPrincipal } from '../../auth/principal.js';
import { PlanRateLimitGuard } from '../../rate-limit/plan-rate-limit.guard.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import type { BodyReservation } from '../../../platform/http/bodies/body-budget.js';
import type { BodyReader } from '../../../platform/http/bodies/body.interceptor.js';
import { receiveBytes } from '../../../platform/http/bodies/receive-body.js';
import { checkFields, keyIn, queryFields } from './check-fields.js';
import { sentFields, type SentFields } from './sent-fields.js';

/** The scope that the checker needs. */
const SCOPE = 'documents:analyze';

/**
 * Maximum size of a body in bytes. A text of the maximum length takes up to 590 KB in a form (three bytes of UTF-8 per
 * UTF-16 unit, each as `%E5`), and markup in JSON several times as much.
 */
const MAX_BODY_BYTES = 2 * 1024 ** 2;

/**
 * Reads the form of a check and admits its sender. The guards cannot do that: LanguageTool's clients send the key in the
 * form. A key elsewhere is checked before the form is read, and a key in the form before anything else in it is decoded.
 */
@Injectable()
export class CheckerAdmission implements BodyReader {
  constructor(
    private readonly keys: ApiKeyAuthenticator,
    private readonly rateLimits: PlanRateLimitGuard,
  ) {}

  /**
   * Sets `request.body` to the `CheckFields` of the query and the body, and `request.principal`. Except for a check, a GET
   * needs no key, but one that is sent must be valid.
   */
  async read(request: Request, response: Response, reservation: BodyReservation): Promise<void> {
    // A check changes nothing, so repeating it is always safe.
    delete request.headers['idempotency-key'];
    const early = keyOutsideBody(request);
    if (early !== undefined) await this.admit(early, request, response);
    let sent: SentFields | undefined;
    if (request.method === 'POST') {
      sent = await this.received(request, reservation);
      if (early === undefined) await this.admitBy(sent, request, response);
    } else if (early === undefined && request.path.endsWith('/check')) {
      throw this.keys.withoutKey(keyMissing(), request);
    }
    request.body = { ...queryFields(request.query), ...(sent && checkFields(sent)) };
  }

  private async admitBy(sent: SentFields, request: Request, response: Response): Promise<void> {
    const key = keyIn(sent);
    if (key === undefined) throw this.keys.withoutKey(keyMissing(sent.failure), request);
    await this.admit(key, request, response);
  }

  /** Receives the body. Without a key, a refused body counts like a wrong key. */
  private async received(request: Request, reservation: BodyReservation): Promise<SentFields> {
    try {
      return sentFields(await bodyOf(request, reservation));
    } catch (error) {
      throw request.principal ? error : this.keys.withoutKey(error as AppError, request);
    }
  }

  private async admit(key: string, request: Request, response: Response): Promise<void> {
    const principal = await this.keys.principalOf(key, request);
    request.principal = principal;
    await this.rateLimits.consumeRequest(principal, request, response);
    requireScope(principal, SCOPE);
    if (request.params['key'] !== undefined) requireOnlyScope(principal);
  }
}

async function bodyOf(request: Request, reservation: BodyReservation): Promise<Buffer> {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new AppError(
      'unsupported_media_type',
      'Send the form without Content-Encoding; compressed bodies are not supported.',
    );
  }
  if (/^\s*multipart\//i.test(request.headers['content-type'] ?? '')) {
    throw new AppError(
      'unsupported_media_type',
      'Send the fields as application/x-www-form-urlencoded or JSON; multipart forms are not supported.',
    );
  }
  return receiveBytes(request, reservation, { maxBytes: MAX_BODY_BYTES, tooLarge });
}

/** Returns the key in the path, in the header or in the query. */
function keyOutsideBody({ params, headers, query }: Request): string | undefined {
  return [
    params['key'],
    bearerKeyIn(headers.authorization ?? ''),
    query['apiKey'],
    query['api_key'],
  ].find(isNotEmpty);
}

function isNotEmpty(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Returns the error for a check without a key, and why the rest of its body was not searched for one. */
export function keyMissing(failure?: AppError): AppError {
  const advice =
    failure?.message ??
    'Send a key with the scope documents:analyze in the form field apiKey, in the header Authorization: Bearer <API_KEY>, or in the path /lt/<API_KEY>/v2.';
  return new AppError('forbidden', `There is no API key. ${advice}`);
}

/** Throws `forbidden` for a key in a path that could do more than check texts. */
function requireOnlyScope({ scopes }: KeyPrincipal): void {
  if (scopes.every((scope) => scope === SCOPE)) return;
  throw new AppError(
    'forbidden',
    'A key in a URL ends up in logs and histories, so it must have the scope documents:analyze and no other. This key has more scopes: revoke it, and create one with only documents:analyze.',
    { requiredScopes: [SCOPE], grantedScopes: scopes },
  );
}

function tooLarge(): AppError {
  return new AppError(
    'payload_too_large',
    `The body is larger than ${String(MAX_BODY_BYTES / 1024 ** 2)} MiB. Send the text in parts.`,
    { maxBytes: MAX_BODY_BYTES },
  );
}
