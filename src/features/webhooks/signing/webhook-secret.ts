import { randomBytes } from 'node:crypto';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { SecretUnreadableError } from '../../../platform/secrets/secret-box.js';

export const MAX_SECRET_LENGTH = 256;
/** Shorter secrets from clients are accepted with a warning. */
const ADVISED_SECRET_LENGTH = 24;
/** 192 bits, the minimum that Standard Webhooks recommends. Its base64 needs no padding. */
const RANDOM_BYTES = 24;

/** Signing libraries encode other characters in different ways. */
export const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/**
 * Signing libraries decode base64 after `whsec_`, some of them strictly, so it must have its padding. Secrets without the
 * prefix sign with their own bytes.
 */
export const WHSEC_IS_BASE64 =
  /^(?!whsec_)|^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/;

/** Options of routes that return a generated secret. */
export const SECRET_SHOWN_ONCE = {
  field: 'secret',
  instead:
    'to get one, replace it with POST …/rotate-secret under a new Idempotency-Key, or send your own',
};

/** Generates a secret in the form of Standard Webhooks: `whsec_` and 24 random bytes in base64. */
export function generateSecret(): string {
  return `whsec_${randomBytes(RANDOM_BYTES).toString('base64')}`;
}

/**
 * Returns the last four characters to identify a secret. For a secret under 16 characters, returns at most a quarter of it.
 */
export function previewOf(secret: string): string {
  const shown = Math.min(4, Math.floor(secret.length / 4));
  return secret.slice(secret.length - shown);
}

/** Warns about a short secret. */
export function secretWarnings(secret: string): FieldProblem[] {
  if (secret.length >= ADVISED_SECRET_LENGTH) return [];
  const issue = `is short enough to be guessed; use at least ${String(ADVISED_SECRET_LENGTH)} random characters, or leave it out to get one`;
  return [{ field: 'secret', issue }];
}

/** Returns what `decrypt` returns, or `undefined` if no known key decrypts the record. */
export function ifReadable<Value>(decrypt: () => Value): Value | undefined {
  try {
    return decrypt();
  } catch (error) {
    if (error instanceof SecretUnreadableError) return undefined;
    throw error;
  }
}
