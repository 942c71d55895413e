import { nearestName } from '../http/envelope/nearest-name.js';
import { environment } from './environment.js';
import type { GivenVariables } from './variables.js';

const BOTH = 'DATABASE_URL and EMBEDDED_DATABASE=true name two databases; leave one of them out.';
const NEITHER =
  'set it, or EMBEDDED_DATABASE=true for the PostgreSQL that comes along, which serves one process';

/**
 * What is wrong with the choice of the database. Where nothing is said the embedded one is used, but not in production:
 * there a forgotten or misspelled DATABASE_URL would begin an empty database beside the real one.
 */
export function databaseProblems(given: GivenVariables): string[] {
  const { NODE_ENV, DATABASE_URL, EMBEDDED_DATABASE } = given;
  if (DATABASE_URL !== undefined) return EMBEDDED_DATABASE === 'true' ? [BOTH] : [];
  if (EMBEDDED_DATABASE === undefined && NODE_ENV !== 'production') return [];
  if (EMBEDDED_DATABASE === 'true') return [];
  const misspelled = Object.keys(given).find(
    (name) => !(name in environment.shape) && nearestName(name, ['DATABASE_URL']),
  );
  const hint = misspelled === undefined ? '' : ` (${misspelled} is set, which nothing reads)`;
  const where = NODE_ENV === 'production' ? 'in production' : 'with EMBEDDED_DATABASE=false';
  return [`DATABASE_URL is required ${where}${hint}; ${NEITHER}.`];
}

const IS_MISSING =
  'SECRETS_KEY is required with DATABASE_URL, so that every replica reads the same secrets; make one with: openssl rand -base64 32.';

/** What is wrong with the choice of the key: only the embedded database has one of its own. */
export function secretsKeyProblems({ DATABASE_URL, SECRETS_KEY }: GivenVariables): string[] {
  return DATABASE_URL !== undefined && SECRETS_KEY === undefined ? [IS_MISSING] : [];
}
