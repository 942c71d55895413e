import { distance } from 'fastest-levenshtein';
import { environment } from './environment.js';
import type { GivenVariables } from './variables.js';

/** Maximum edit distance of a misspelled name. */
const MAX_DISTANCE = 2;
/** Shorter names are not compared: HOME is not a misspelling of HOST. */
const SHORTEST = 6;
/** Number of initial letters that must be equal. */
const COMMON_PREFIX = 3;

/**
 * Returns a problem for each variable that nothing reads but that resembles a setting which is not set: with
 * `NODE_EVN=production`, the service would run open.
 */
export function misspelledVariables(given: GivenVariables): string[] {
  const missing = Object.keys(environment.shape).filter((name) => given[name] === undefined);
  return Object.keys(given).flatMap((name) => {
    if (name.length < SHORTEST || name in environment.shape) return [];
    const meant = missing.find((one) => isAlmost(name.toUpperCase(), one));
    return meant === undefined
      ? []
      : [`${name} is not a setting; rename it to ${meant}, or remove it.`];
  });
}

function isAlmost(name: string, known: string): boolean {
  return (
    known.length >= SHORTEST &&
    name.slice(0, COMMON_PREFIX) === known.slice(0, COMMON_PREFIX) &&
    distance(name, known) <= MAX_DISTANCE
  );
}
