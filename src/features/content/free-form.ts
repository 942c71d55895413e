import { isObject, sourceText } from '../../platform/http/bodies/json-text.js';
import type { FieldProblem } from '../../platform/basics/errors/app-error.js';
import { MAX_AI_SETTINGS_BYTES, MAX_DEPTH, MAX_METADATA_BYTES } from './open-objects.js';

/** What is wrong with document metadata: an open object whose known keys have a type. */
export function metadataProblems(value: unknown): FieldProblem[] {
  if (!isObject(value)) return [{ field: 'metadata', issue: 'must be an object' }];
  const tooLarge = sizeProblems('metadata', value, MAX_METADATA_BYTES);
  if (tooLarge.length > 0) return tooLarge;
  return [
    ...tagProblems(value['tags']),
    ...typeProblems('metadata', value, { department: 'string', project: 'string' }),
  ];
}

/** What is wrong with aiSettings: an open object whose known keys have a type; any text is a level or a language. */
export function aiSettingsProblems(value: unknown): FieldProblem[] {
  if (!isObject(value)) return [{ field: 'aiSettings', issue: 'must be an object' }];
  const tooLarge = sizeProblems('aiSettings', value, MAX_AI_SETTINGS_BYTES);
  if (tooLarge.length > 0) return tooLarge;
  return [
    ...typeProblems('aiSettings', value, {
      autoEnhance: 'boolean',
      suggestionLevel: 'string',
      language: 'string',
    }),
  ];
}

function tagProblems(tags: unknown): FieldProblem[] {
  if (tags === undefined) return [];
  if (!Array.isArray(tags))
    return [{ field: 'metadata.tags', issue: 'must be an array of strings' }];
  return tags.flatMap((tag: unknown, index) =>
    typeof tag === 'string'
      ? []
      : [{ field: `metadata.tags[${String(index)}]`, issue: 'must be a string' }],
  );
}

function typeProblems(
  field: string,
  value: Record<string, unknown>,
  types: Readonly<Record<string, 'string' | 'boolean'>>,
): FieldProblem[] {
  return Object.entries(types).flatMap(([key, type]) =>
    Object.hasOwn(value, key) && typeof value[key] !== type
      ? [{ field: `${field}.${key}`, issue: `must be a ${type}` }]
      : [],
  );
}

/** Judged first: what is too large is not looked into. */
function sizeProblems(field: string, value: object, maxBytes: number): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (nestsDeeperThan(value, MAX_DEPTH)) {
    problems.push({ field, issue: `must not nest deeper than ${String(MAX_DEPTH)} levels` });
  }
  const bytes = Buffer.byteLength(sourceText(value));
  if (bytes > maxBytes) {
    problems.push({
      field,
      issue: `must not be larger than ${String(maxBytes)} bytes of JSON; it has ${String(bytes)}`,
    });
  }
  return problems;
}

/** The object itself is level 1. Bodies nest 64 levels at most, so recursion is bounded. */
function nestsDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => nestsDeeperThan(member, levels - 1));
}
