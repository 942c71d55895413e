import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'ds_live_';
/** Starts of the secrets of this service: keys, access, refresh and browser tokens, and authorization codes. */
const PREFIXES = /^ds_(?:live|at|rt|bt|ac)_/;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 32 base-62 characters carry 190 random bits. */
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const RANDOM_PART = new RegExp(`^[0-9A-Za-z]{${String(SECRET_LENGTH + CHECKSUM_LENGTH)}}$`);

/** Generates a key: `ds_live_`, 32 random characters (190 bits), and a 6-character checksum (CRC-32 in base 62, like GitHub's). */
export function generateApiKey(): string {
  return generateSecret(PREFIX);
}

/** Generates a secret in the form of a key, with another prefix. */
export function generateSecret(prefix: string): string {
  let secret = '';
  while (secret.length < SECRET_LENGTH) {
    // 248 is the largest multiple of 62 in a byte; larger bytes would favor the first characters.
    for (const byte of randomBytes(SECRET_LENGTH)) {
      if (byte < 248 && secret.length < SECRET_LENGTH) secret += ALPHABET.charAt(byte % 62);
    }
  }
  return prefix + secret + checksum(prefix + secret);
}

/** Generates a key and the values stored for it. */
export function issueApiKey(): { key: string; keyHash: Buffer; lastFour: string } {
  const key = generateApiKey();
  return { key, keyHash: hashApiKey(key), lastFour: key.slice(-4) };
}

/** True if the text has the form and checksum of a key, so typos and guesses cost no lookup. */
export function isWellFormedApiKey(text: string): boolean {
  return isWellFormedSecret(text, PREFIX);
}

/** True if the text has the form and checksum of a secret with this prefix. */
export function isWellFormedSecret(text: string, prefix: string): boolean {
  if (!text.startsWith(prefix) || !RANDOM_PART.test(text.slice(prefix.length))) return false;
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** True if the text was meant to be a key or token of this service. A mistyped or truncated key is a leak too. */
export function looksLikeApiKey(text: string): boolean {
  return PREFIXES.test(text.trim().replace(/^bearer\s+/i, ''));
}

/** Returns the stored hash. A plain SHA-256 is safe because 190 random bits cannot be brute-forced. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    digits = ALPHABET.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
