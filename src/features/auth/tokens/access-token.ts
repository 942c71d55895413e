import { generateSecret, hashApiKey, isWellFormedSecret } from '../api-keys/api-key.js';

/** How the tokens of each kind start. */
const PREFIXES = { access: 'ds_at_', refresh: 'ds_rt_', browser: 'ds_bt_' } as const;
export type TokenKind = keyof typeof PREFIXES;

/** Generates a token and the hash that is stored. */
export function issueAccessToken(kind: TokenKind): { token: string; hash: Buffer } {
  const token = generateSecret(PREFIXES[kind]);
  return { token, hash: hashApiKey(token) };
}

/** Returns the kind that the start of a text claims to be, or `undefined`. */
export function tokenKindOf(text: string): TokenKind | undefined {
  const kinds = Object.keys(PREFIXES) as TokenKind[];
  return kinds.find((kind) => text.startsWith(PREFIXES[kind]));
}

/** True if the text has the form and checksum of a token of this kind. */
export function isWellFormedToken(text: string, kind: TokenKind): boolean {
  return isWellFormedSecret(text, PREFIXES[kind]);
}
