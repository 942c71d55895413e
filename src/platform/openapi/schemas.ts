import type { SchemaObject } from '@nestjs/swagger';
import { ID_PREFIXES, type IdKind } from '../basics/identifiers/identifiers.js';

/** Pattern of every stored text. PostgreSQL cannot store U+0000. */
export const KEPT_TEXT = '^[^\\u0000]*$';

/** The UUIDv7 of all examples, in base32. */
const SAMPLE = '01kam3k0v5e0rbk1y2c9q4w7zt';
const SAMPLE_TIME = '2026-11-20T08:00:00.000Z';

export const MAX_INT32 = 2_147_483_647;

/** Returns the id of this kind that examples show. */
export function sampleId(kind: IdKind): string {
  return `${ID_PREFIXES[kind]}_${SAMPLE}`;
}

/** Returns the schema of a public id. */
export function idSchema(kind: IdKind) {
  const prefix = ID_PREFIXES[kind];
  return {
    type: 'string',
    pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`,
    maxLength: prefix.length + 27,
  };
}

/** Returns the schema of a time in responses: ISO 8601 in UTC, with milliseconds. */
export function timestampSchema() {
  return { type: 'string', format: 'date-time', maxLength: 24, example: SAMPLE_TIME };
}

/** Returns the schema of a text. */
export function textSchema(maxLength: number) {
  return { type: 'string', maxLength, pattern: KEPT_TEXT } satisfies SchemaObject;
}

/** Returns the schema of one of these values. */
export function enumSchema(values: readonly string[]) {
  return { type: 'string', enum: [...values] } satisfies SchemaObject;
}

/** Serializes a query parameter as comma-separated values. Repeated parameters are accepted too. */
export const WITH_COMMAS = { style: 'form', explode: false } as const;

/**
 * Returns the schema of a time or a day in a query. It has no `format`, because client generators read a union of formats
 * as any value.
 */
export function momentSchema() {
  return { type: 'string' as const, maxLength: 40, pattern: '^\\d{4}-\\d{2}-\\d{2}' };
}
