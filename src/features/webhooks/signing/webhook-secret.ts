import { randomBytes } from 'node:crypto';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';

export const MAX_SECRET_LENGTH = 256;
/** Shorter secrets of a client are taken with a warning. */
const ADVISED_SECRET_LENGTH = 24;
/** 192 bits, the least that Standard Webhooks recommends, in base64 without padding. */
const RANDOM_BYTES = 24;

/** The signing libraries take characters of other kinds as different bytes. */
export const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/**
 * The libraries decode what follows `whsec_` from base64, some of them strictly: it must have its padding. Secrets
 * without the prefix sign as they stand.
 */
export const WHSEC_IS_BASE64 =
  /^(?!whsec_)|^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/;

/** Of answers with a secret that the service made. */
export const SECRET_SHOWN_ONCE = {
  field: 'secret',
  instead:
    'to have one, replace it by POST …/rotate-secret under a new Idempotency-Key, or send one of your own',
};

/** A fresh secret in the form of Standard Webhooks: `whsec_` and 24 random bytes in base64. */
export function generateSecret(): string {
  return `whsec_${randomBytes(RANDOM_BYTES).toString('base64')}`;
}

/** The last four characters, to recognise a secret by; of one under 16 characters at most a quarter. */
export function previewOf(secret: string): string {
  const shown = Math.min(4, Math.floor(secret.length / 4));
  return secret.slice(secret.length - shown);
}

/** What is doubtful about a secret that a client chose. */
export function secretWarnings(secret: string): FieldProblem[] {
  if (secret.length >= ADVISED_SECRET_LENGTH) return [];
  const issue = `is short enough to be guessed; use at least ${String(ADVISED_SECRET_LENGTH)} random characters, or leave it out to get one`;
  return [{ field: 'secret', issue }];
}
