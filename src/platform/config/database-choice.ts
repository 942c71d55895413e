import { nearestName } from '../http/envelope/nearest-name.js';
import { environment } from './environment.js';
import type { GivenVariables } from './variables.js';

const BOTH = 'DATABASE_URL and EMBEDDED_DATABASE=true name two databases; remove one of them.';
const needsDatabase = (name: string) => `${name} requires DATABASE_URL; set both.`;
const NEITHER =
  'set it, or set EMBEDDED_DATABASE=true to use the embedded PostgreSQL, which serves one process';

/**
 * Returns the problems with the choice of the database. The embedded one is the default, except in production: there, a
 * missing or misspelled DATABASE_URL would create an empty database next to the real one.
 */
export function databaseProblems(given: GivenVariables): string[] {
  const { NODE_ENV, DATABASE_URL, EMBEDDED_DATABASE } = given;
  const others = ['DATABASE_DIRECT_URL', 'DATABASE_READ_URL'].filter((name) => given[name]);
  if (DATABASE_URL === undefined && others.length > 0) return others.map(needsDatabase);
  if (DATABASE_URL !== undefined) return EMBEDDED_DATABASE === 'true' ? [BOTH] : [];
  if (EMBEDDED_DATABASE === undefined && NODE_ENV !== 'production') return [];
  if (EMBEDDED_DATABASE === 'true') return [];
  const misspelled = Object.keys(given).find(
    (name) => !(name in environment.shape) && nearestName(name, ['DATABASE_URL']),
  );
  const hint = misspelled === undefined ? '' : ` (${misspelled} is set, but not a setting)`;
  const where = NODE_ENV === 'production' ? 'in production' : 'with EMBEDDED_DATABASE=false';
  return [`DATABASE_URL is required ${where}${hint}; ${NEITHER}.`];
}

const IS_MISSING =
  'SECRETS_KEY is required with DATABASE_URL, so that every replica reads the same secrets; create one with: openssl rand -base64 32.';

/** Returns the problems with the secrets key. Only the embedded database has its own key. */
export function secretsKeyProblems({ DATABASE_URL, SECRETS_KEY }: GivenVariables): string[] {
  return DATABASE_URL !== undefined && SECRETS_KEY === undefined ? [IS_MISSING] : [];
}
