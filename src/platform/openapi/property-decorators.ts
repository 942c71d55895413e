import {
  ApiProperty,
  ApiPropertyOptional,
  type ApiPropertyOptions,
  type SchemaObject,
} from '@nestjs/swagger';
import { ID_PREFIXES, type IdKind } from '../basics/identifiers/identifiers.js';

/** Every text that is kept: it has no U+0000. */
export const KEPT_TEXT = '^[^\\u0000]*$';

/** UUIDv7 of all examples, in base32. */
const SAMPLE = '01kam3k0v5e0rbk1y2c9q4w7zt';
const SAMPLE_TIME = '2026-11-20T08:00:00.000Z';
const SAMPLE_TIME_FILTER = '2026-11-20T08:00:00Z';
const EMAIL_CHARACTERS = 254;

/** The id of this kind that examples show. */
export function sampleId(kind: IdKind): string {
  return `${ID_PREFIXES[kind]}_${SAMPLE}`;
}

/** The form of a public id, as a schema. */
export function idSchema(kind: IdKind) {
  const prefix = ID_PREFIXES[kind];
  return {
    type: 'string',
    pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`,
    maxLength: prefix.length + 27,
  };
}

/** A public id. */
export const ApiId = (kind: IdKind, options: Partial<ApiPropertyOptions> = {}) =>
  ApiProperty({ ...idSchema(kind), example: sampleId(kind), ...options } as ApiPropertyOptions);

/** The form of a time in answers, as a schema. */
export function timestampSchema() {
  return { type: 'string', format: 'date-time', maxLength: 24, example: SAMPLE_TIME };
}

/** A time as answers show it: ISO 8601 in UTC, with milliseconds. */
export const ApiTimestamp = (options: Partial<ApiPropertyOptions> = {}) =>
  ApiProperty({ ...timestampSchema(), ...options } as ApiPropertyOptions);

/** A public id that a list is filtered by. */
export const ApiIdFilter = (kind: IdKind, description: string) =>
  ApiId(kind, { required: false, description });

/** A filter that may be given several times. */
export const ApiSeveral = (
  items: SchemaObject,
  description: string,
  example: readonly string[],
  maxItems = 20,
) => ApiPropertyOptional({ type: 'array', maxItems, items, description, example });

/** How a parameter is sent that takes its values with commas between them; repeated ones are taken too. */
export const WITH_COMMAS = { style: 'form', explode: false } as const;

/** The schema of a time or a day in a request. Generators of clients take a union with formats for anything. */
export function momentSchema() {
  return { type: 'string' as const, maxLength: 40, pattern: '^\\d{4}-\\d{2}-\\d{2}' };
}

/** A time that a list is filtered by. */
export const ApiMoment = (description: string) =>
  ApiPropertyOptional({
    ...momentSchema(),
    description: `${description}; a time with its zone, or a day, which begins in UTC.`,
    example: SAMPLE_TIME_FILTER,
  });

/** Text of a person or of a program, kept as it was sent; say how long it may be. */
export const ApiText = (options: ApiPropertyOptions & { maxLength: number }) =>
  ApiProperty({ type: String, pattern: KEPT_TEXT, ...options });

/** A secret that an answer shows once; its route declares it by `@OneTimeSecret`. */
export const ApiSecret = ({
  description,
  ...options
}: ApiPropertyOptions & { maxLength: number; description: string }) =>
  ApiProperty({
    type: String,
    format: 'password',
    nullable: true,
    description: `${description} Null in the replay of the answer to an \`Idempotency-Key\`.`,
    ...options,
  });

/** An e-mail address. */
export const ApiEmail = () =>
  ApiProperty({ format: 'email', maxLength: EMAIL_CHARACTERS, example: 'ada@example.com' });

/** A whole number that fits 32 bits. */
export const ApiInteger = (options: ApiPropertyOptions & { minimum: number; maximum: number }) =>
  ApiProperty({ type: 'integer', format: 'int32', ...options });
