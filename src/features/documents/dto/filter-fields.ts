import { MAX_VALUES } from '../../../platform/openapi/filter.js';
import { isLongerThan } from '../../../platform/http/envelope/text-length.js';

export const MAX_SEARCH_CHARACTERS = 500;
const MAX_SEARCH_WORDS = 50;

const NEEDS_KEY = 'needs the name of a key: write metadata[region]=eu or metadata.region=eu';
const MANGLED_KEY =
  'is percent-encoded twice: write the name of the key as it is and let the client encode it once, metadata[region]=eu';

/** What is wrong with `metadata.<key>=value` parameters, as pairs of key and value. */
export function metadataFilterProblems(pairs: unknown): { field: string; issue: string }[] {
  return (pairs as [string, unknown][]).flatMap(([key, value], index) => {
    const field = key === '' ? 'metadata' : `metadata.${key}`;
    if (key === '' || /^\{.*\}$/.test(key)) return [{ field, issue: NEEDS_KEY }];
    if (/%[0-9a-f]{2}/i.test(key)) return [{ field, issue: MANGLED_KEY }];
    if (key.includes('\0')) return [{ field, issue: 'must not contain U+0000' }];
    if (index >= MAX_VALUES)
      return [{ field, issue: `is one filter too many; at most ${String(MAX_VALUES)}` }];
    const issue = textsProblem(Array.isArray(value) ? value : [value]);
    return issue === undefined ? [] : [{ field, issue }];
  });
}

function textProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be given once';
  return value.includes('\0') ? 'must not contain U+0000' : undefined;
}

/** Returns the issue of a list of texts, from a repeated parameter. */
export function textsProblem(values: unknown, most = MAX_VALUES): string | undefined {
  if (!Array.isArray(values)) return 'must be text';
  if (values.length > most) return `must not be given more than ${String(most)} times`;
  return values.map(textProblem).find((problem) => problem !== undefined);
}

/** Returns the issue of words to search for. */
export function searchProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be given once';
  if (value.trim() === '') return 'must not be empty or only white space';
  if (value.includes('\0')) return 'must not contain U+0000';
  if (isLongerThan(value, MAX_SEARCH_CHARACTERS)) {
    return `must not be longer than ${String(MAX_SEARCH_CHARACTERS)} characters`;
  }
  const words = value.match(/\S+/g)?.length ?? 0;
  return words > MAX_SEARCH_WORDS
    ? `must not have more than ${String(MAX_SEARCH_WORDS)} words; it has ${String(words)}`
    : undefined;
}
