import { applyDecorators } from '@nestjs/common';
import type { SchemaObject } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { maxLength } from 'class-validator';
import { parseMoment } from '../basics/clock/moment.js';
import { decodeId, ID_PREFIXES, type IdKind } from '../basics/identifiers/identifiers.js';
import { redactedStart } from '../basics/redact-secrets.js';
import { unknownNameIssue } from '../http/envelope/nearest-name.js';
import { Field, type Check, type FieldOptions } from './field.js';
import { enumSchema, idSchema, momentSchema, sampleId, WITH_COMMAS } from './schemas.js';

/** Maximum number of values of one filter, unless the filter sets its own. */
export const MAX_VALUES = 20;

interface ListOptions extends FieldOptions {
  max?: number;
  style?: 'form';
  explode?: false;
}

/** Decorators for query parameters. All are optional; a list of values accepts each value once or several times. */
export const Filter = {
  id: (kind: IdKind, description: string, check?: Check) =>
    Field.id(kind, {
      optional: true,
      description,
      check: (value, dto) =>
        isId(kind, value) ? check?.(value, dto) : `must be ${idForm(kind)}, given once`,
    }),

  /** A text to look for in names. */
  text: (max: number, options: Pick<FieldOptions, 'description' | 'example'>) =>
    Field.text({ ...options, optional: true, max, check: (text) => textIssue(text, max) }),

  /** A time or a day. */
  time: (description: string) =>
    Field.schema(momentSchema(), {
      optional: true,
      description: `${description}: a time with a UTC offset, or a day in UTC.`,
      example: '2026-11-20T08:00:00Z',
      check: isMoment,
    }),

  flag: (options: FieldOptions) =>
    applyDecorators(
      Transform(({ value }: { value: unknown }) =>
        value === 'true' ? true : value === 'false' ? false : value,
      ),
      Field.flag({ optional: true, ...options }),
    ),

  integer: (options: Parameters<typeof Field.integer>[0] & object) =>
    applyDecorators(
      Transform(({ value }: { value: unknown }) =>
        typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value,
      ),
      Field.integer({ optional: true, ...options }),
    ),

  /** Values of a repeated parameter, without duplicates. */
  several: (items: readonly string[] | SchemaObject, options: ListOptions) =>
    listFilter(items, readRepeated, options),

  /** Values of a repeated or comma-separated parameter, without duplicates. */
  commaSeparated: (items: readonly string[] | SchemaObject, options: ListOptions) =>
    listFilter(items, splitCommas, options),

  /** Public ids in a repeated parameter. */
  ids: (kind: IdKind, description: string) =>
    listFilter(idSchema(kind), readRepeated, {
      description,
      example: [sampleId(kind)],
      check: areIds(kind, MAX_VALUES),
    }),

  /** The fields that the client requests, by name. The response always includes the ID. */
  members: (known: readonly string[]) =>
    listFilter(enumSchema(known), splitCommas, {
      ...WITH_COMMAS,
      max: known.length,
      description: `Returns only these fields and the ID: comma-separated or repeated names. Each selection of fields has its own ETag.`,
      example: ['id', 'title'],
      check: (names) => memberIssue(names as unknown[], known),
    }),

  /**
   * The field to sort a list by, in the spelling of the specification (`created_at`) or of responses (`createdAt`). The
   * DTO receives the first spelling.
   */
  sort: <Sort extends string>(sorts: readonly Sort[], options: FieldOptions & { example: Sort }) =>
    applyDecorators(
      Transform(
        ({ value }: { value: unknown }) =>
          sorts.find((sort) => inCamelCase(sort) === value) ?? value,
      ),
      Field.oneOf([...new Set([...sorts, ...sorts.map(inCamelCase)])], {
        optional: true,
        ...options,
        check: (value, dto) =>
          sorts.includes(value as Sort)
            ? options.check?.(value, dto)
            : `must be one of ${sorts.join(', ')}${isSigned(value) ? '; set the direction with order=asc or order=desc' : ''}`,
      }),
    ),
};

function listFilter(
  items: readonly string[] | SchemaObject,
  transform: typeof readRepeated,
  { max = MAX_VALUES, ...options }: ListOptions,
): PropertyDecorator {
  return applyDecorators(
    Transform(transform),
    Field.list(items, { optional: true, max, ...options }),
  );
}

function readRepeated({ value }: { value: unknown }): unknown[] {
  return [...new Set([value].flat())];
}

function splitCommas({ value }: { value: unknown }): unknown[] {
  const values = [value].flat();
  return [...new Set(values.flatMap((one) => (typeof one === 'string' ? one.split(',') : one)))];
}

export const isMoment: Check = (value) =>
  typeof value === 'string' && parseMoment(value) !== undefined
    ? undefined
    : 'must be a time with a UTC offset, such as 2026-11-20T08:00:00Z, or a day, such as 2026-11-20, given once';

/** Returns a check of a list of public ids. */
export const areIds =
  (kind: IdKind, max: number): Check =>
  (values) => {
    const ids = values as unknown[];
    if (ids.length > max) return `must not contain more than ${String(max)}`;
    const wrong = ids.find((id) => !isId(kind, id));
    if (wrong === undefined) return undefined;
    return ids.length === 1 || wrong === ''
      ? `must be ${idForm(kind)}`
      : `'${redactedStart(wrong as string, 64)}' is not ${idForm(kind)}`;
  };

function isId(kind: IdKind, value: unknown): boolean {
  return typeof value === 'string' && decodeId(kind, value) !== undefined;
}

function idForm(kind: IdKind): string {
  return `the id of a ${kind}, ${ID_PREFIXES[kind]}_ and 26 characters`;
}

function memberIssue(names: readonly unknown[], known: readonly string[]): string | undefined {
  const wrong = names.find((name) => !known.some((one) => one === name));
  if (wrong === undefined) return undefined;
  if (wrong === '') return 'must be comma-separated field names, such as id,title';
  const name = redactedStart(wrong as string, 64);
  return `'${name}' ${unknownNameIssue(name, known)}`;
}

/** Returns the requested fields in response order, with the id. */
export function selectFields<Name extends string>(
  shown: readonly Name[],
  asked: readonly string[],
): Name[] {
  return shown.filter((name) => name === 'id' || asked.includes(name));
}

/** Detects a direction in the name, such as `-createdAt`, which other APIs accept. */
const isSigned = (value: unknown) => typeof value === 'string' && /^[-+ ]|[: ]/.test(value);

function inCamelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function textIssue(text: unknown, max: number): string | undefined {
  if (typeof text !== 'string') return 'must be given once';
  if (text.includes('\0')) return 'must not contain U+0000';
  return maxLength(text, max) ? undefined : `must not be longer than ${String(max)} characters`;
}
