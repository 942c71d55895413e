import type { FieldProblem } from '../../platform/basics/errors/app-error.js';
import { isObject, sourceText } from '../../platform/http/bodies/json-text.js';
import { Field } from '../../platform/openapi/field.js';
import type { SchemaObject } from '@nestjs/swagger';
import { textSchema } from '../../platform/openapi/schemas.js';

/** Maximum size of the JSON text, in UTF-8 bytes. */
export const MAX_METADATA_BYTES = 16 * 1024;
const MAX_AI_SETTINGS_BYTES = 4 * 1024;
/** Maximum nesting depth of an open object, including the object itself. */
export const MAX_DEPTH = 10;

const describe = (maxBytes: number) =>
  `Open object, returned exactly as sent, with any further keys. At most ${String(maxBytes / 1024)} KiB and ${String(MAX_DEPTH)} levels.`;

/** The schema of `metadata`: an open object whose known keys have a type. */
export const METADATA: SchemaObject = {
  title: 'Metadata',
  type: 'object',
  additionalProperties: true,
  description: describe(MAX_METADATA_BYTES),
  properties: {
    // Each item takes at least three bytes: two quotes and a comma.
    tags: {
      type: 'array',
      maxItems: Math.floor(MAX_METADATA_BYTES / 3),
      items: textSchema(MAX_METADATA_BYTES),
    },
    department: textSchema(MAX_METADATA_BYTES),
    project: textSchema(MAX_METADATA_BYTES),
  },
  example: { tags: ['finance', 'q3'], department: 'Sales', project: 'Apollo' },
};

/** The schema of `aiSettings`, an open object like `metadata`. */
export const AI_SETTINGS: SchemaObject = {
  title: 'AiSettings',
  type: 'object',
  additionalProperties: true,
  description: describe(MAX_AI_SETTINGS_BYTES),
  properties: {
    autoEnhance: { type: 'boolean' },
    suggestionLevel: {
      ...textSchema(MAX_AI_SETTINGS_BYTES),
      description: '`low`, `medium` or `high`. An unknown level means `medium`, with a warning.',
    },
    language: textSchema(MAX_AI_SETTINGS_BYTES),
  },
  example: { autoEnhance: false, suggestionLevel: 'medium', language: 'en' },
};

/** A merge patch of an open object. Validation of the merged object follows. */
const PatchedObjectField = (example: object) =>
  Field.object(
    { additionalProperties: true },
    {
      optional: true,
      nullable: true,
      description: 'Merged with the current value; null removes a key. Null clears the object.',
      example,
      issue: 'must be an object, or null to empty it',
    },
  );

export const MetadataPatchField = () =>
  PatchedObjectField({ tags: ['finance', 'q3', 'final'], project: null });

export const AiSettingsPatchField = () => PatchedObjectField({ autoEnhance: true });

/** Returns the problems of document metadata: its size, depth and the types of known keys. */
export function metadataProblems(value: unknown): FieldProblem[] {
  if (!isObject(value)) return [{ field: 'metadata', issue: 'must be an object' }];
  const tooLarge = sizeProblems('metadata', value, MAX_METADATA_BYTES);
  if (tooLarge.length > 0) return tooLarge;
  return [
    ...tagProblems(value['tags']),
    ...typeProblems('metadata', value, { department: 'string', project: 'string' }),
  ];
}

/** Returns the problems of aiSettings. Any text is accepted as level and language; unknown ones cause warnings. */
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

/** Checks size and depth before the members of an object are validated. */
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

/** Counts the object itself as level 1. Request bodies have at most 64 levels, which bounds the recursion. */
function nestsDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => nestsDeeperThan(member, levels - 1));
}
