import { distance } from 'fastest-levenshtein';
import type { FieldProblem } from '../../basics/errors/app-error.js';

/**
 * Returns the known name that the caller probably meant, or `undefined` if all differ in more than a third of their
 * characters. Exchanged characters do not count.
 */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  const lower = given.slice(0, 64).toLowerCase();
  let nearest: string | undefined;
  let least = Infinity;
  for (const name of known) {
    const differing = distance(lower, name.toLowerCase());
    if (differing < least) [nearest, least] = [name, differing];
  }
  return nearest !== undefined && isNear(lower, nearest.toLowerCase(), least) ? nearest : undefined;
}

function isNear(given: string, name: string, differing: number): boolean {
  if (differing * 3 <= Math.max(given.length, name.length)) return true;
  return differing === 2 && lettersOf(given) === lettersOf(name);
}

const lettersOf = (text: string) => Array.from(text).sort().join('');

/** Names that other services use, in lower case without punctuation, and our names for them. The first known one wins. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  perpage: ['limit'],
  pagesize: ['limit'],
  size: ['limit'],
  count: ['limit'],
  take: ['limit'],
  top: ['limit'],
  max: ['limit'],
  maxresults: ['limit'],
  offset: ['page', 'cursor'],
  skip: ['page', 'cursor'],
  start: ['page', 'cursor'],
  pagenumber: ['page'],
  p: ['page'],
  pagetoken: ['cursor'],
  nextpagetoken: ['cursor'],
  next: ['cursor'],
  startingafter: ['cursor'],
  endingbefore: ['cursor'],
  search: ['q'],
  query: ['q'],
  term: ['q'],
  keyword: ['q'],
  keywords: ['q'],
  s: ['q'],
  orderby: ['sort'],
  sortby: ['sort'],
  sortfield: ['sort'],
  order: ['sort'],
  sortorder: ['order'],
  sortdir: ['order'],
  direction: ['order'],
  dir: ['order'],
  from: ['since', 'createdAfter'],
  to: ['until', 'createdBefore'],
  after: ['since', 'cursor', 'createdAfter'],
  before: ['until', 'createdBefore'],
  name: ['title'],
  subject: ['title'],
  body: ['content'],
  text: ['content'],
  markdown: ['content'],
  tags: ['tag', 'metadata'],
  settings: ['aiSettings'],
  template: ['templateId'],
  category: ['type'],
  kind: ['type'],
  state: ['status'],
  author: ['createdBy'],
  permissions: ['scopes'],
  expires: ['expiresAt'],
  endpoint: ['url'],
  types: ['events', 'type'],
};

function synonymOf(given: string, known: readonly string[]): string | undefined {
  const letters = given
    .slice(0, 64)
    .toLowerCase()
    .replace(/[^a-z]/g, '');
  const meant = Object.hasOwn(SYNONYMS, letters) ? SYNONYMS[letters] : undefined;
  return meant?.find((name) => known.includes(name));
}

/**
 * Returns a problem for each unknown name. A suggestion is computed only when it is read, because that takes time and a
 * response shows only some problems.
 */
export function unknownNameProblems(
  names: readonly string[],
  known: readonly string[],
  pathOf: (name: string) => string,
): FieldProblem[] {
  return names
    .filter((name) => !known.includes(name))
    .map((name) => ({
      field: pathOf(name),
      get issue() {
        return unknownNameIssue(name, known);
      },
    }));
}

/** Returns the issue of an unknown name, with the name that was probably meant. */
export function unknownNameIssue(given: string, known: readonly string[]): string {
  if (known.length === 0) return 'is not a known field; this request takes none';
  const nearest = synonymOf(given, known) ?? nearestName(given, known);
  const hint = nearest ? `did you mean '${nearest}'?` : `known names are ${known.join(', ')}`;
  return `is not a known field; ${hint}`;
}
