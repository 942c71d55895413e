import type { GivenVariables } from './variables.js';

const IS_MISSING =
  'SECRETS_KEY is required with DATABASE_URL, so that every replica reads the same secrets; make one with: openssl rand -base64 32.';

/** What is wrong with the choice of the key: only the embedded database has one of its own. */
export function secretsKeyProblems({ DATABASE_URL, SECRETS_KEY }: GivenVariables): string[] {
  return DATABASE_URL !== undefined && SECRETS_KEY === undefined ? [IS_MISSING] : [];
}
