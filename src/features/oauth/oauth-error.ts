import { AppError } from '../../platform/basics/errors/app-error.js';

/** Error codes of RFC 6749, 7009, 7591 and 8707. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'unsupported_grant_type'
  | 'slow_down'
  | 'temporarily_unavailable'
  | 'server_error';

/** A refusal that OAuth clients understand. The message may contain only the characters of `error_description`. */
export class OAuthError extends AppError {
  constructor(
    readonly code: OAuthErrorCode,
    message: string,
  ) {
    super(code === 'slow_down' ? 'rate_limited' : 'bad_request', message);
  }
}
