import { DOCUMENT_TYPES } from '../../content/document-type.js';
import { isObject } from '../../../platform/http/bodies/json-text.js';
import { nearestName } from '../../../platform/http/envelope/nearest-name.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { redactedStart } from '../../../platform/basics/redact-secrets.js';

/** Documents whose events a webhook receives. They match at least one value of every given kind. */
export interface WebhookFilter {
  types?: readonly string[];
  tags?: readonly string[];
  projects?: readonly string[];
}

const KINDS = ['types', 'tags', 'projects'] as const;
type Kind = (typeof KINDS)[number];

export const MAX_FILTER_VALUES = 50;
export const MAX_FILTER_CHARACTERS = 200;
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
    ...KINDS.flatMap((kind) =>
      Object.hasOwn(value, kind) ? valuesProblems(`filter.${kind}`, value[kind]) : [],
    ),
    ...unknown.slice(0, MAX_UNKNOWN).map(unknownKind),
  ];
}

function unknownKind(name: string): FieldProblem {
  const nearest = nearestName(name, KINDS);
  const hint = nearest ? `did you mean '${nearest}'?` : `known fields are ${KINDS.join(', ')}`;
  return { field: `filter.${redactedStart(name, 100)}`, issue: `is not a known field; ${hint}` };
}

function valuesProblems(field: string, values: unknown): FieldProblem[] {
  if (values === null) return [];
  if (!Array.isArray(values) || values.length === 0) {
    return [{ field, issue: 'must be a non-empty array; leave it out to match any' }];
  }
  if (values.length > MAX_FILTER_VALUES) {
    return [{ field, issue: `must not have more than ${String(MAX_FILTER_VALUES)} items` }];
  }
  return values.flatMap((value: unknown, index) => {
    const issue = field === 'filter.types' ? typeIssue(value) : textIssue(value);
    return issue === undefined ? [] : [{ field: `${field}[${String(index)}]`, issue }];
  });
}

function textIssue(value: unknown): string | undefined {
  const isText = typeof value === 'string' && value !== '' && value.length <= MAX_FILTER_CHARACTERS;
  return isText
    ? undefined
    : `must be a string of 1 to ${String(MAX_FILTER_CHARACTERS)} characters`;
}

function typeIssue(value: unknown): string | undefined {
  if (DOCUMENT_TYPES.some((type) => type === value)) return undefined;
  const nearest = typeof value === 'string' ? nearestName(value, DOCUMENT_TYPES) : undefined;
  return nearest
    ? `is not a document type; did you mean '${nearest}'?`
    : `must be one of ${DOCUMENT_TYPES.join(', ')}`;
}

function isKind(name: string): name is Kind {
  return (KINDS as readonly string[]).includes(name);
}

/** A merge patch of a filter. A given kind replaces the current one, and null removes it. */
export type FilterPatch = { [K in Kind]?: readonly string[] | null } | null;

/** Applies a valid patch and removes repeated values. Returns null if nothing is left to filter by. */
export function mergeFilter(
  current: WebhookFilter | null,
  patch: FilterPatch,
): WebhookFilter | null {
  if (patch === null) return null;
  const merged: { [K in Kind]?: readonly string[] } = {};
  for (const kind of KINDS) {
    const values = patch[kind] === undefined ? current?.[kind] : patch[kind];
    if (values) merged[kind] = [...new Set(values)];
  }
  return Object.keys(merged).length === 0 ? null : merged;
}
