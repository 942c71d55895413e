import { reasonOf, firstFailure } from '../../errors/reason.js';
import { AddressRefusedError } from './guarded-connector.js';
import { failure, type Failure, type FailureClass } from './failure.js';

/** How far an exchange came. */
export type Progress = 'connecting' | 'sent' | 'answered';

const CLASS_OF_TIMEOUT: Readonly<Record<Progress, FailureClass>> = {
  connecting: 'connect_timeout',
  sent: 'answer_timeout',
  answered: 'answer_endless',
};

/** The failure of an exchange that ended with an error of undici or the network, or because its time was over. */
export function exchangeFailure(error: unknown, progress: Progress, limitMs: number): Failure {
  const seconds = String(limitMs / 1000);
  if (error === 'time is over') return failure(CLASS_OF_TIMEOUT[progress], seconds);
  const cause = firstFailure(error);
  if (cause instanceof AddressRefusedError) return failure('address_refused', cause.address);
  const code = codeOf(cause);
  if (progress === 'connecting')
    return failure(classOfConnect(code), detailOfConnect(code, cause, seconds));
  if (isInvalidAnswer(cause)) return failure('answer_invalid', reasonOfInvalid(cause));
  return failure(progress === 'sent' ? 'send_failed' : 'answer_incomplete', reasonOf(cause));
}

function classOfConnect(code: string): FailureClass {
  if (code === 'ECONNREFUSED') return 'connect_refused';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'connect_timeout';
  if (code === 'ENOTFOUND' || code.startsWith('EAI_') || code === 'ENODATA') return 'name_unknown';
  return /CERT|SSL|TLS|ISSUER|SIGNATURE|EPROTO|CRL|HOSTNAME/.test(code)
    ? 'tls_failed'
    : 'connect_failed';
}

function detailOfConnect(code: string, cause: unknown, seconds: string): string {
  if (classOfConnect(code) === 'connect_timeout') return seconds;
  // OpenSSL's message is a line for its developers, with the words for everybody beside it.
  const { reason } = (cause ?? {}) as { reason?: unknown };
  return typeof reason === 'string' && code.startsWith('ERR_SSL') ? reason : reasonOf(cause);
}

/** What undici says of answers that it takes for none: it stumbles over a status of 0 to 99. */
const INVALID_CODES = [
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'ERR_ASSERTION',
];
/** An upgrade, or a "continue", that was not asked for: told in words only. */
const NOT_ASKED_FOR = /^bad (upgrade|response)$/;

/** undici means to give errors of its parser a code, and gives most of them none. */
function isInvalidAnswer(error: unknown): boolean {
  const { name, message } = (error ?? {}) as { name?: unknown; message?: unknown };
  return (
    name === 'HTTPParserError' ||
    INVALID_CODES.includes(codeOf(error)) ||
    (typeof message === 'string' && NOT_ASKED_FOR.test(message))
  );
}

function reasonOfInvalid(error: unknown): string {
  return codeOf(error) === 'ERR_ASSERTION' ? 'a status that is none' : reasonOf(error);
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
