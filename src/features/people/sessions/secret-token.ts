import { createHash, randomBytes } from 'node:crypto';
import type { LinkPurpose } from './entities/one-time-link.entity.js';

/** 256 random bits cannot be guessed, or recovered from their SHA-256. */
const BYTES = 32;
const FORM = /^[A-Za-z0-9_-]{43}$/;

/** Generates a token for a session or a link, and the hash that is stored. */
export function issueToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(BYTES).toString('base64url');
  return { token, tokenHash: hashToken(token) };
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** True if the text has the form of a token, so anything else costs no lookup. */
export function isToken(text: string): boolean {
  return FORM.test(text);
}

/** The dashboard page that handles each kind of link. */
const PAGES: Readonly<Record<LinkPurpose, string>> = {
  'first-run': 'welcome',
  invitation: 'invitation',
  password: 'password',
};

/** Returns the URL of a one-time link. The token is in the fragment, which never reaches a server or a log. */
export function linkUrl(origin: string, purpose: LinkPurpose, token: string): string {
  return `${origin}/dashboard/${PAGES[purpose]}#${token}`;
}
