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
  if (isInvalidAnswer(cause)) return failure('answer_invalid', reasonOf(cause));
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
  return classOfConnect(code) === 'connect_timeout' ? seconds : reasonOf(cause);
}

/** undici means to give errors of its parser a code, and gives most of them none. */
function isInvalidAnswer(error: unknown): boolean {
  const { name } = (error ?? {}) as { name?: unknown };
  return name === 'HTTPParserError' || codeOf(error) === 'UND_ERR_HEADERS_OVERFLOW';
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
