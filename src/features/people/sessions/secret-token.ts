import { createHash, randomBytes } from 'node:crypto';

/** 256 bits cannot be guessed, nor be searched backwards from their SHA-256. */
const BYTES = 32;
const FORM = /^[A-Za-z0-9_-]{43}$/;

/** A fresh token of a session or a link, with what is stored of it. */
export function issueToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(BYTES).toString('base64url');
  return { token, tokenHash: hashToken(token) };
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Whether the text has the form of a token, so that anything else costs no look-up. */
export function isToken(text: string): boolean {
  return FORM.test(text);
}
