import { Catch, Injectable } from '@nestjs/common';
import type { AppError, ErrorKind } from '../../platform/basics/errors/app-error.js';
import { FailureFilter } from '../../platform/http/envelope/failure.filter.js';
import { OAuthError, type OAuthErrorCode } from './oauth-error.js';

const CODES: Partial<Record<ErrorKind, OAuthErrorCode>> = {
  rate_limited: 'slow_down',
  unavailable: 'temporarily_unavailable',
  internal: 'server_error',
};

/** Formats failures as OAuth clients read them (RFC 6749, section 5.2). */
@Catch()
@Injectable()
export class OAuthFailureFilter extends FailureFilter {
  protected override bodyOf(error: AppError): string {
    const code =
      error instanceof OAuthError ? error.code : (CODES[error.kind] ?? 'invalid_request');
    return JSON.stringify({
      error: code,
      error_description: error.message.replace(/["\\]|[^ -~]/g, "'"),
    });
  }
}
