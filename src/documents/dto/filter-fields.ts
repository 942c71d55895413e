import { registerDecorator } from 'class-validator';
import { decodeId, ID_PREFIXES, type IdKind } from '../../identifiers/identifiers.js';
import { parseMoment } from '../../clock/moment.js';

export const MAX_SEARCH_CHARACTERS = 500;
const MAX_SEARCH_WORDS = 50;
/** Values of one repeatable filter. */
export const MAX_VALUES = 20;

/** Text that is compared as a whole. */
export const IsFilterText = () => check('isFilterText', textProblem);

/** A list of texts, from a parameter that may be given several times. */
export const IsFilterTexts = () => check('isFilterTexts', textsProblem);

/** A public id of this kind. */
export const IsFilterId = (kind: IdKind) =>
  check('isFilterId', (value) =>
    typeof value === 'string' && decodeId(kind, value) !== undefined
      ? undefined
      : `must be the id of a ${kind}, ${ID_PREFIXES[kind]}_ and 26 characters, given once`,
  );

/** A time, or a day. */
export const IsMoment = () =>
  check('isMoment', (value) =>
    typeof value === 'string' && parseMoment(value) !== undefined
      ? undefined
      : 'must be a time with its zone, such as 2026-11-20T08:00:00Z, or a day, such as 2026-11-20, given once',
  );

/** Words to search for. */
export const IsSearch = () => check('isSearch', searchProblem);

/** What is wrong with `metadata.<key>=value` parameters, as pairs of key and value. */
export function metadataFilterProblems(pairs: unknown): { field: string; issue: string }[] {
  return (pairs as [string, unknown][]).flatMap(([key, value], index) => {
    const field = key === '' ? 'metadata' : `metadata.${key}`;
    if (key === '') return [{ field, issue: 'needs a key: write metadata.<key>=value' }];
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

function textsProblem(values: unknown): string | undefined {
  if (!Array.isArray(values)) return 'must be text';
  if (values.length > MAX_VALUES) return `must not be given more than ${String(MAX_VALUES)} times`;
  return values.map(textProblem).find((problem) => problem !== undefined);
}

function searchProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be given once';
  if (value.trim() === '') return 'must not be empty or only white space';
  if (value.includes('\0')) return 'must not contain U+0000';
  // UTF-16 units are at least as many as characters: counting is seldom needed.
  if (value.length > MAX_SEARCH_CHARACTERS && Array.from(value).length > MAX_SEARCH_CHARACTERS) {
    return `must not be longer than ${String(MAX_SEARCH_CHARACTERS)} characters`;
  }
  const words = value.match(/\S+/g)?.length ?? 0;
  return words > MAX_SEARCH_WORDS
    ? `must not have more than ${String(MAX_SEARCH_WORDS)} words; it has ${String(words)}`
    : undefined;
}

function check(name: string, problemOf: (value: unknown) => string | undefined): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: property as string,
      validator: {
        validate: (value: unknown) => problemOf(value) === undefined,
        defaultMessage: (validation) => problemOf(validation?.value) ?? 'is not valid',
      },
    });
  };
}
