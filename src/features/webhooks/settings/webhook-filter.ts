import { DOCUMENT_TYPES } from '../../content/document-type.js';
import {
  ANY_CHANGE,
  CHANGED_FIELDS,
  EVENT_STATUSES,
  MAX_FILTER_CHARACTERS,
  METADATA_PREFIX,
} from '../../events/event-states.js';
import { isObject } from '../../../platform/http/bodies/json-text.js';
import { nearestName } from '../../../platform/http/envelope/nearest-name.js';
import { invalidFields, type FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { redactedStart } from '../../../platform/basics/redact-secrets.js';

type Values = readonly string[];

/**
 * Documents whose events a webhook receives, as it is stored: values by the names of an event's states, such as `types` and
 * `metadata.region`. A document matches at least one value of every name.
 */
export type StoredFilter = Readonly<Record<string, Values>>;

const LISTS = ['types', 'tags', 'projects', 'statuses', 'changes'] as const;
const KINDS = [...LISTS, 'metadata'] as const;
type ListKind = (typeof LISTS)[number];

/** A filter in requests and responses. */
export type WebhookFilter = { [K in ListKind]?: Values } & { metadata?: Record<string, Values> };

/** A merge patch of a filter. A given kind, or metadata path, replaces the current one, and null removes it. */
export type FilterPatch =
  | ({ [K in ListKind]?: Values | null } & { metadata?: Record<string, Values | null> | null })
  | null;

export const MAX_FILTER_VALUES = 50;
/** Maximum number of metadata paths in a filter. */
export const MAX_FILTER_PATHS = 20;
/** Maximum number of unknown names to report, because comparing names takes time. */
const MAX_UNKNOWN = 100;

/** Validates a filter or a patch of one. Null means no filter, or any value of a kind. */
export function filterProblems(value: unknown): FieldProblem[] {
  if (value === null) return [];
  if (!isObject(value)) {
    const issue = 'must be an object such as {"types": ["report"], "tags": ["finance"]}, or null';
    return [{ field: 'filter', issue }];
  }
  const unknown = Object.keys(value).filter((name) => !isKind(name));
  return [
    ...LISTS.flatMap((kind) =>
      Object.hasOwn(value, kind)
        ? valuesProblems(`filter.${kind}`, value[kind], ISSUES[kind] ?? textIssue)
        : [],
    ),
    ...(Object.hasOwn(value, 'metadata') ? metadataProblems(value['metadata']) : []),
    ...unknown.slice(0, MAX_UNKNOWN).map(unknownKind),
  ];
}

function unknownKind(name: string): FieldProblem {
  const nearest = nearestName(name, KINDS);
  const hint = nearest ? `did you mean '${nearest}'?` : `known fields are ${KINDS.join(', ')}`;
  return { field: `filter.${redactedStart(name, 100)}`, issue: `is not a known field; ${hint}` };
}

function metadataProblems(paths: unknown): FieldProblem[] {
  const field = 'filter.metadata';
  if (paths === null) return [];
  if (!isObject(paths) || Object.keys(paths).length === 0) {
    const issue = 'must be an object such as {"region": ["eu"]}; leave it out to match any';
    return [{ field, issue }];
  }
  const given = Object.entries(paths);
  if (given.length > MAX_FILTER_PATHS) return [tooManyPaths()];
  return given.flatMap(([path, values]) => {
    const issue = pathIssue(path);
    const name = `${field}.${redactedStart(path, 100)}`;
    return issue === undefined
      ? valuesProblems(name, values, metadataValueIssue)
      : [{ field: name, issue }];
  });
}

function tooManyPaths(): FieldProblem {
  const issue = `must not have more than ${String(MAX_FILTER_PATHS)} paths`;
  return { field: 'filter.metadata', issue };
}

function valuesProblems(
  field: string,
  values: unknown,
  issueOf: (value: unknown) => string | undefined,
): FieldProblem[] {
  if (values === null) return [];
  if (!Array.isArray(values) || values.length === 0) {
    return [{ field, issue: 'must be a non-empty array; leave it out to match any' }];
  }
  if (values.length > MAX_FILTER_VALUES) {
    return [{ field, issue: `must not have more than ${String(MAX_FILTER_VALUES)} items` }];
  }
  return values.flatMap((value: unknown, index) => {
    const issue = issueOf(value);
    return issue === undefined ? [] : [{ field: `${field}[${String(index)}]`, issue }];
  });
}

/** The checks of values that are not any text. */
const ISSUES: { [K in ListKind]?: (value: unknown) => string | undefined } = {
  types: (value) => nameIssue(value, DOCUMENT_TYPES, 'a document type'),
  statuses: (value) => nameIssue(value, EVENT_STATUSES, 'a document status'),
  changes: (value) =>
    typeof value === 'string' && value.startsWith(METADATA_PREFIX)
      ? pathIssue(value.slice(METADATA_PREFIX.length))
      : nameIssue(value, CHANGED_FIELDS, 'a field or metadata.<path>'),
};

function nameIssue(value: unknown, names: readonly string[], kind: string): string | undefined {
  if (names.some((name) => name === value)) return undefined;
  const nearest = typeof value === 'string' ? nearestName(value, names) : undefined;
  return nearest
    ? `is not ${kind}; did you mean '${nearest}'?`
    : `must be one of ${names.join(', ')}${names === CHANGED_FIELDS ? `, or ${METADATA_PREFIX}<path>` : ''}`;
}

function textIssue(value: unknown): string | undefined {
  const isText = typeof value === 'string' && value !== '' && value.length <= MAX_FILTER_CHARACTERS;
  return isText
    ? undefined
    : `must be a string of 1 to ${String(MAX_FILTER_CHARACTERS)} characters`;
}

/** Metadata can hold an empty string. */
function metadataValueIssue(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= MAX_FILTER_CHARACTERS
    ? undefined
    : `must be a string of at most ${String(MAX_FILTER_CHARACTERS)} characters; write 7 as "7" and true as "true"`;
}

function pathIssue(path: string): string | undefined {
  return path !== '' && path.length <= MAX_FILTER_CHARACTERS
    ? undefined
    : `must have a path of 1 to ${String(MAX_FILTER_CHARACTERS)} characters, such as metadata.region`;
}

function isKind(name: string): boolean {
  return (KINDS as readonly string[]).includes(name);
}

/**
 * Applies a valid patch and removes repeated values. Returns null if nothing is left to filter by. Throws `bad_request` for
 * too many metadata paths.
 */
export function mergeFilter(current: StoredFilter | null, patch: FilterPatch): StoredFilter | null {
  if (patch === null) return null;
  const merged = new Map(Object.entries(current ?? {}));
  const set = (name: string, values: Values | null | undefined) => {
    if (values === null) merged.delete(name);
    else if (values) merged.set(name, [...new Set(values)]);
  };
  for (const kind of LISTS) set(kind, patch[kind]);
  if (patch.changes) merged.set('changes', [...new Set(patch.changes), ANY_CHANGE]);
  const paths = () => [...merged.keys()].filter((name) => name.startsWith(METADATA_PREFIX));
  if (patch.metadata === null) for (const name of paths()) merged.delete(name);
  for (const [path, values] of Object.entries(patch.metadata ?? {})) {
    set(METADATA_PREFIX + path, values);
  }
  if (paths().length > MAX_FILTER_PATHS) throw invalidFields([tooManyPaths()]);
  return merged.size === 0 ? null : Object.fromEntries(merged);
}

/** Returns a stored filter as clients see it, with its kinds in order. */
export function presentFilter(filter: StoredFilter): WebhookFilter {
  const paths = Object.entries(filter)
    .filter(([name]) => name.startsWith(METADATA_PREFIX))
    .map(([name, values]): [string, Values] => [name.slice(METADATA_PREFIX.length), values])
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    ...Object.fromEntries(
      LISTS.flatMap((kind) => {
        const values = filter[kind]?.filter((value) => kind !== 'changes' || value !== ANY_CHANGE);
        return values ? [[kind, values]] : [];
      }),
    ),
    ...(paths.length > 0 && { metadata: Object.fromEntries(paths) }),
  };
}
