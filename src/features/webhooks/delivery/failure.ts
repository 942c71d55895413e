import { firstFailure, reasonOf } from '../../../platform/basics/errors/reason.js';
import { AddressRefusedError } from '../../../platform/network/guarded-connector.js';

/** Where in an attempt it failed: nothing was sent, it was being sent, or the receiver had begun to answer. */
type FailureStage = 'before' | 'during' | 'after';

/** Why an attempt failed. The name begins with what was being done. */
export type FailureClass =
  | 'event_purged'
  | 'secret_unreadable'
  | 'url_refused'
  | 'name_unknown'
  | 'address_refused'
  | 'connect_refused'
  | 'connect_failed'
  | 'connect_timeout'
  | 'tls_failed'
  | 'send_failed'
  | 'answer_timeout'
  | 'answer_invalid'
  | 'answer_incomplete'
  | 'answer_endless'
  | 'status_redirect'
  | 'status_gone'
  | 'status_busy'
  | 'status_refused'
  | 'status_failed'
  | 'status_unexpected';

interface Description {
  stage: FailureStage;
  /** What happened and what to do about it, for the owner of the webhook. */
  message: (detail: string) => string;
}

/** Every class on one screen. `detail` is the status, the seconds of the time limit, or the reason in words. */
const DESCRIPTIONS: Readonly<Record<FailureClass, Description>> = {
  event_purged: {
    stage: 'before',
    message: () =>
      'The event was removed when its retention time was over, so there is nothing to send. Have the operator raise EVENT_RETENTION_DAYS.',
  },
  secret_unreadable: {
    stage: 'before',
    message: () =>
      "The webhook's secret cannot be read, so nothing was sent. Rotate the secret, or have the operator restore SECRETS_KEY.",
  },
  url_refused: {
    stage: 'before',
    message: (reason) => `The URL is not allowed any more: it ${reason}.`,
  },
  name_unknown: {
    stage: 'before',
    message: (reason) =>
      `The host of the URL has no address (${reason}). Correct the URL, or the DNS entry.`,
  },
  address_refused: {
    stage: 'before',
    message: (address) =>
      `The host of the URL leads to ${address}, which is not public, so nothing was sent. Use a public host, or have the operator open the network with WEBHOOK_ALLOWED_NETWORKS.`,
  },
  connect_refused: {
    stage: 'before',
    message: () =>
      'Nothing listens at the host and port of the URL. Start the receiver, or correct the URL.',
  },
  connect_failed: {
    stage: 'before',
    message: (reason) =>
      `The receiver could not be connected to (${reason}). Check its host, firewall and network.`,
  },
  connect_timeout: {
    stage: 'before',
    message: (seconds) =>
      `The receiver took no connection within ${seconds} seconds. Check its firewall and load.`,
  },
  tls_failed: {
    stage: 'before',
    message: (reason) =>
      `The encrypted connection could not be made (${reason}). Give the receiver a certificate that is valid, complete and for this host.`,
  },
  send_failed: {
    stage: 'during',
    message: (reason) =>
      `The connection broke before the receiver answered (${reason}). Look into its log; it may have crashed or refused the size.`,
  },
  answer_timeout: {
    stage: 'during',
    message: (seconds) =>
      `The receiver did not answer within ${seconds} seconds. Answer 2xx first, and do the work afterwards.`,
  },
  answer_invalid: {
    stage: 'after',
    message: (reason) =>
      `The answer is not valid HTTP (${reason}). Check the receiver and the proxies before it.`,
  },
  answer_incomplete: {
    stage: 'after',
    message: (reason) =>
      `The connection broke in the middle of the answer (${reason}). Look into the receiver's log.`,
  },
  answer_endless: {
    stage: 'after',
    message: (seconds) =>
      `The answer did not end within ${seconds} seconds. Send a short answer, and end it.`,
  },
  status_redirect: {
    stage: 'after',
    message: (status) =>
      `The receiver answered ${status}, a redirect, which is never followed. Register the URL it leads to.`,
  },
  status_gone: {
    stage: 'after',
    message: () =>
      'The receiver answered 410 Gone, so the webhook was disabled. Enable it when there is a receiver again.',
  },
  status_busy: {
    stage: 'after',
    message: (status) =>
      `The receiver answered ${status}: it is too busy. The time in its Retry-After is waited for; answer faster or take more at a time.`,
  },
  status_refused: {
    stage: 'after',
    message: (status) =>
      `The receiver refused the delivery with ${status}. Its answer may say why; 401 and 403 often mean that it verifies with another secret, 404 another path.`,
  },
  status_failed: {
    stage: 'after',
    message: (status) =>
      `The receiver failed with ${status}. Look into its log around this time; what it raised is there.`,
  },
  status_unexpected: {
    stage: 'after',
    message: (status) => `The receiver answered ${status}, which says nothing. Answer 2xx.`,
  },
};

export const FAILURE_CLASSES = Object.keys(DESCRIPTIONS) as FailureClass[];

/** A failed attempt in words. */
export interface Failure {
  class: FailureClass;
  stage: FailureStage;
  message: string;
}

/** The failure of this class; `detail` is put into its sentence. */
export function failure(name: FailureClass, detail = ''): Failure {
  const { stage, message } = DESCRIPTIONS[name];
  return { class: name, stage, message: message(detail) };
}

const OWN: readonly FailureClass[] = ['event_purged', 'secret_unreadable'];

/** Whether the service itself failed, so that the failure says nothing about the receiver. */
export function isOwnFailure(failed: Failure): boolean {
  return OWN.includes(failed.class);
}

/** What an answer with this status means; `undefined` for 2xx, which is success. */
export function statusFailure(status: number): Failure | undefined {
  if (status >= 200 && status < 300) return undefined;
  return failure(classOfStatus(status), String(status));
}

function classOfStatus(status: number): FailureClass {
  if (status === 410) return 'status_gone';
  if (status === 429 || status === 503) return 'status_busy';
  if (status >= 300 && status < 400) return 'status_redirect';
  if (status >= 400 && status < 500) return 'status_refused';
  return status >= 500 && status < 600 ? 'status_failed' : 'status_unexpected';
}

/** How far an exchange came. */
export type Progress = 'connecting' | 'sent' | 'answered';

const CLASS_OF_TIMEOUT: Readonly<Record<Progress, FailureClass>> = {
  connecting: 'connect_timeout',
  sent: 'answer_timeout',
  answered: 'answer_endless',
};

/** The failure of an exchange that took longer than its limit. */
export function timeoutFailure(progress: Progress, limitMs: number): Failure {
  return failure(CLASS_OF_TIMEOUT[progress], String(limitMs / 1000));
}

/** The failure of an exchange that ended with an error of undici or of the network. */
export function exchangeFailure(error: unknown, progress: Progress, limitMs: number): Failure {
  const cause = firstFailure(error);
  if (cause instanceof AddressRefusedError) return failure('address_refused', cause.address);
  if (progress === 'connecting') return connectFailure(cause, limitMs);
  if (isInvalidAnswer(cause)) return failure('answer_invalid', reasonOfInvalid(cause));
  return failure(progress === 'sent' ? 'send_failed' : 'answer_incomplete', reasonOf(cause));
}

function connectFailure(cause: unknown, limitMs: number): Failure {
  const code = codeOf(cause);
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return timeoutFailure('connecting', limitMs);
  }
  // OpenSSL's message is a line for its developers, with the words for everybody beside it.
  const { reason } = (cause ?? {}) as { reason?: unknown };
  const inWords = typeof reason === 'string' && code.startsWith('ERR_SSL');
  return failure(classOfConnect(code), inWords ? reason : reasonOf(cause));
}

function classOfConnect(code: string): FailureClass {
  if (code === 'ECONNREFUSED') return 'connect_refused';
  if (code === 'ENOTFOUND' || code.startsWith('EAI_') || code === 'ENODATA') return 'name_unknown';
  return /CERT|SSL|TLS|ISSUER|SIGNATURE|EPROTO|CRL|HOSTNAME/.test(code)
    ? 'tls_failed'
    : 'connect_failed';
}

/** Codes that undici gives answers which are no HTTP: an assertion of it fails on a status of 0 to 99. */
const INVALID_CODES = [
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'ERR_ASSERTION',
];
/** An upgrade, or a "continue", that was not asked for: undici tells it by its message only. */
const NOT_ASKED_FOR = /^bad (upgrade|response)$/;

/** Most errors of undici's parser have no code, only a name. */
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
