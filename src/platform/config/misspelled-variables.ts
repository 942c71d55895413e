import { distance } from 'fastest-levenshtein';
import { environment } from './environment.js';
import type { GivenVariables } from './variables.js';

/** Letters in which a misspelled name may differ. */
const MAX_DISTANCE = 2;
/** In a shorter name even one letter makes another word: HOME is not HOST. */
const SHORTEST = 6;
/** Letters at the beginning that both names have. */
const COMMON_PREFIX = 3;

export interface MisspelledVariable {
  name: string;
  meant: string;
}

/** Variables that nothing reads, each with the one whose name it almost has. Names far from all of ours are others' own. */
export function misspelledVariables(given: GivenVariables): MisspelledVariable[] {
  const known = Object.keys(environment.shape);
  return Object.keys(given).flatMap((name) => {
    if (!given[name] || name.length < SHORTEST || known.includes(name)) return [];
    const meant = known.find((one) => isAlmost(name.toUpperCase(), one));
    return meant === undefined ? [] : [{ name, meant }];
  });
}

/** What the operator is told of one. */
export function misspelling({ name, meant }: MisspelledVariable): string {
  return `${name} is set, which nothing reads; did you mean ${meant}?`;
}

function isAlmost(name: string, known: string): boolean {
  return (
    known.length >= SHORTEST &&
    name.slice(0, COMMON_PREFIX) === known.slice(0, COMMON_PREFIX) &&
    distance(name, known) <= MAX_DISTANCE
  );
}
