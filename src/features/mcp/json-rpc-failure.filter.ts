import { Catch, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { failureBody } from '../../platform/http/envelope/envelope.js';
import { FailureFilter } from '../../platform/http/envelope/failure.filter.js';
import { oauthIssuer } from '../../platform/http/oauth-issuer.js';
import { DEFAULT_APP_SCOPES } from '../auth/connected-app.js';
import type { AppError } from '../../platform/basics/errors/app-error.js';

/** A code that JSON-RPC reserves for servers. `data` and the status contain the kind of failure. */
const SERVER_ERROR = -32_000;

/** Formats failures that occur before a message is read, such as a missing key or a rate limit, as JSON-RPC errors. */
@Catch()
@Injectable()
export class JsonRpcFailureFilter extends FailureFilter {
  /** Leads clients without a valid key to the OAuth metadata (RFC 9728), with the scopes to ask for. */
  protected override challengeFor(request: Request): string {
    const challenge = super.challengeFor(request);
    const issuer = oauthIssuer(request, this.config);
    if (issuer === undefined) return challenge;
    return [
      challenge,
      `resource_metadata="${issuer}/.well-known/oauth-protected-resource/mcp"`,
      `scope="${DEFAULT_APP_SCOPES.join(' ')}"`,
      ...(request.headers.authorization === undefined ? [] : ['error="invalid_token"']),
    ].join(', ');
  }

  protected override bodyOf(error: AppError, { requestId }: Request): string {
    const failure = JSON.parse(failureBody(error)) as object;
    return JSON.stringify({
      jsonrpc: '2.0',
      id: null,
      error: { code: SERVER_ERROR, message: error.message, data: { ...failure, requestId } },
    });
  }
}
