import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'ds_live_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 32 characters of 62 carry 190 random bits. */
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${String(SECRET_LENGTH + CHECKSUM_LENGTH)}}$`);

/** A fresh key: `ds_live_`, 32 random characters (190 bits) and a checksum of 6 (CRC-32 in base 62, as GitHub does). */
export function generateApiKey(): string {
  let secret = '';
  while (secret.length < SECRET_LENGTH) {
    // Bytes from 248 on would make the first characters of the alphabet likelier.
    for (const byte of randomBytes(SECRET_LENGTH)) {
      if (byte < 248 && secret.length < SECRET_LENGTH) secret += ALPHABET.charAt(byte % 62);
    }
  }
  return PREFIX + secret + checksum(PREFIX + secret);
}

/** A fresh key, with what is stored of it. */
export function issueApiKey(): { key: string; keyHash: Buffer; lastFour: string } {
  const key = generateApiKey();
  return { key, keyHash: hashApiKey(key), lastFour: key.slice(-4) };
}

/** Whether the text has a key's form and checksum, so that a typing error or a guess costs no look-up. */
export function isWellFormedApiKey(text: string): boolean {
  if (!FORM.test(text)) return false;
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** Whether somebody took the text for a key of this service: a mistyped or shortened one is a leak too. */
export function looksLikeApiKey(text: string): boolean {
  return text
    .trim()
    .replace(/^bearer\s+/i, '')
    .startsWith(PREFIX);
}

/** What is stored of a key: with 190 random bits a plain SHA-256 cannot be searched backwards. */
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
