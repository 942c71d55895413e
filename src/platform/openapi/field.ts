import { isBlank } from '../basics/blank-text.js';
import { applyDecorators } from '@nestjs/common';
import {
  ApiProperty,
  type ApiPropertyOptions,
  type ReferenceObject,
  type SchemaObject,
} from '@nestjs/swagger';
import {
  Allow,
  maxLength,
  ValidateBy,
  validateSync,
  type ValidationArguments,
} from 'class-validator';
import { parseTimestamp } from '../basics/clock/moment.js';
import type { FieldProblem } from '../basics/errors/app-error.js';
import type { IdKind } from '../basics/identifiers/identifiers.js';
import type { Config } from '../config/config.js';
import { isObject } from '../http/bodies/json-text.js';
import {
  enumSchema,
  idSchema,
  KEPT_TEXT,
  MAX_INT32,
  sampleId,
  timestampSchema,
} from './schemas.js';

/**
 * Returns the problems of a value: one issue, several problems with their own paths, or none. The value is never
 * `undefined`, and null only if the field does not accept null.
 */
export type Check = (
  value: unknown,
  context: CheckContext,
) => string | readonly FieldProblem[] | undefined;

export interface CheckContext {
  /** The body or query under validation, for checks that depend on other fields. */
  dto: object;
  config: Config;
  source: 'body' | 'query';
}

/** The options of every field. `check` replaces the built-in validation of the field's kind. */
export interface FieldOptions {
  description?: string;
  example?: unknown;
  /** Fields with the same title and schema share a component in the API document. */
  title?: string;
  default?: unknown;
  pattern?: string;
  writeOnly?: boolean;
  /** Clients can omit the field. */
  optional?: boolean;
  nullable?: boolean;
  /** Reads null like an omitted field, without documenting it. */
  ignoresNull?: boolean;
  /** True if a query parameter may be repeated, or its text becomes a list. Defaults to whether the schema is a list. */
  takesList?: boolean;
  check?: Check;
  /** Replaces the message of the check. */
  issue?: string;
}

interface Limits {
  min?: number;
  max?: number;
}

type Schema = SchemaObject | ApiPropertyOptions;

/**
 * Decorators for the members of DTO classes. Each one describes the member in the API document and validates it in bodies
 * and queries. Fields are required unless they are `optional`. Responses are not validated.
 */
export const Field = {
  /** Text of at most `max` characters. */
  text({
    max,
    min,
    notBlank = false,
    oneLine = false,
    ...options
  }: FieldOptions & { max: number; min?: number; notBlank?: boolean; oneLine?: boolean }) {
    const notText = options.nullable === true ? 'must be a string or null' : 'must be a string';
    const schema = {
      type: String,
      pattern: KEPT_TEXT,
      minLength: min ?? (notBlank ? 1 : undefined),
      maxLength: max,
    };
    return describeField(schema, {
      check: (value) => {
        if (typeof value !== 'string') return notText;
        if (notBlank && isBlank(value)) return 'must not be blank';
        if (oneLine && /\p{Cc}/u.test(value)) return 'must be one line, without control characters';
        return maxLength(value, max)
          ? undefined
          : `must not be longer than ${String(max)} characters`;
      },
      ...options,
    });
  },

  /** A public id. */
  id: (kind: IdKind, options: FieldOptions = {}) =>
    describeField({ ...idSchema(kind), example: sampleId(kind) }, options),

  /** A time. In requests it can have any UTC offset. */
  time: ({ max, ...options }: FieldOptions & { max?: number } = {}) =>
    describeField(
      { ...timestampSchema(), ...(max !== undefined && { maxLength: max }) },
      {
        check: (value) =>
          typeof value === 'string' && parseTimestamp(value) !== undefined
            ? undefined
            : `must be a time with a UTC offset, such as ${String(options.example)}`,
        ...options,
      },
    ),

  /** An email address. Services validate its form themselves. */
  email: (options: FieldOptions = {}) =>
    describeField(
      { type: String, format: 'email', maxLength: 254, example: 'ada@example.com' },
      { check: isString, ...options },
    ),

  uri: ({ max = 2048, ...options }: FieldOptions & { max?: number } = {}) =>
    describeField({ type: String, format: 'uri', maxLength: max }, { check: isString, ...options }),

  /** A secret that is returned once; its route declares it with `@OneTimeSecret`. */
  secret: ({ max, description, ...options }: FieldOptions & { max: number; description: string }) =>
    describeField(
      { type: String, format: 'password', maxLength: max },
      {
        nullable: true,
        description: `${description} Null in a replay (\`Idempotency-Key\`).`,
        ...options,
      },
    ),

  /** One of these values. */
  oneOf: (values: readonly string[], options: FieldOptions = {}) =>
    describeField(
      { enum: [...values] },
      {
        check: (value) => (values.includes(value as string) ? undefined : mustBe(values)),
        ...options,
      },
    ),

  /** Always this value. */
  constant: (value: string | boolean, options: FieldOptions = {}) =>
    describeField(
      { enum: [value], example: value },
      { check: (sent) => (sent === value ? undefined : `must be ${String(value)}`), ...options },
    ),

  flag: (options: FieldOptions = {}) =>
    describeField(
      { type: Boolean },
      {
        check: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
        ...options,
      },
    ),

  /** A whole number from 0 to 2³¹ − 1, or within the limits. */
  integer: ({ min = 0, max = MAX_INT32, ...options }: FieldOptions & Limits = {}) =>
    describeField(
      { type: 'integer', format: max > MAX_INT32 ? 'int64' : 'int32', minimum: min, maximum: max },
      {
        check: (value) =>
          Number.isInteger(value) && isWithin(value as number, min, max)
            ? undefined
            : `must be a whole number from ${String(min)} to ${String(max)}`,
        ...options,
      },
    ),

  number: ({ min = 0, max, ...options }: FieldOptions & { min?: number; max: number }) =>
    describeField(
      { type: 'number', format: 'double', minimum: min, maximum: max },
      {
        check: (value) =>
          typeof value === 'number' && isWithin(value, min, max)
            ? undefined
            : `must be a number from ${String(min)} to ${String(max)}${options.nullable === true ? ', or null' : ''}`,
        ...options,
      },
    ),

  /** An object of a DTO class, or with this schema. */
  object: (type: (new () => object) | SchemaObject, options: FieldOptions = {}) =>
    describeField(typeof type === 'function' ? { type } : { type: 'object', ...type }, {
      check: (value) => (isObject(value) ? undefined : 'must be an object'),
      ...options,
    }),

  /** A list of objects of a DTO class, of some of these values, or of items with this schema. */
  list: (
    items: (new () => object) | readonly string[] | SchemaObject | ReferenceObject,
    {
      min = 0,
      max = Infinity,
      empty = 'must not be empty',
      unique,
      ...options
    }: FieldOptions & Limits & { empty?: string; unique?: string } = {},
  ) =>
    describeField(
      {
        ...(typeof items === 'function'
          ? { type: [items] }
          : { type: 'array', items: Array.isArray(items) ? enumSchema(items) : items }),
        minItems: min || undefined,
        maxItems: max === Infinity ? undefined : max,
      } as Schema,
      {
        check: (value) => {
          if (!Array.isArray(value)) return 'must be an array';
          if (value.length < min) return empty;
          if (unique !== undefined && new Set(value).size < value.length) return unique;
          if (value.length > max) return `must have at most ${String(max)} items`;
          if (Array.isArray(items))
            return value.every((item) => items.includes(item)) ? undefined : mustBe(items);
          return 'type' in items && items.type === 'string'
            ? textItemsIssue(value, items.maxLength)
            : undefined;
        },
        ...options,
      },
    ),

  /** A field whose schema no other kind covers. */
  schema: describeField,
};

function describeField(
  schema: Schema,
  { optional = false, ignoresNull = false, takesList, check, issue, ...options }: FieldOptions = {},
): PropertyDecorator {
  const required = optional ? { required: false } : {};
  return applyDecorators(
    ApiProperty({ ...schema, ...required, ...options } as ApiPropertyOptions),
    validates({
      optional,
      acceptsNull: options.nullable === true || ignoresNull,
      takesList: takesList ?? (Array.isArray(schema.type) || schema.type === 'array'),
      check,
      issue,
    }),
  );
}

interface Rule {
  optional: boolean;
  acceptsNull: boolean;
  takesList: boolean;
  check: Check | undefined;
  issue: string | undefined;
}

/** Problems found so far, by the DTO under validation. class-validator passes nothing else to a validator. */
const validations = new WeakMap<
  object,
  Pick<CheckContext, 'config' | 'source'> & { problems: FieldProblem[] }
>();

/** Returns every problem of a body or query. class-validator alone would report one message for each field. */
export function problemsOf(
  dto: object,
  config: Config,
  source: CheckContext['source'],
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  validations.set(dto, { config, source, problems });
  const errors = validateSync(dto, { stopAtFirstError: true, forbidUnknownValues: false });
  return [
    ...problems,
    ...errors.map(({ property, constraints }) => ({
      field: property,
      issue: Object.values(constraints ?? {})[0] ?? 'is not valid',
    })),
  ];
}

/** Reports problems to {@link problemsOf} and always passes. */
function validates(rule: Rule): PropertyDecorator {
  const validate = (value: unknown, args?: ValidationArguments) => {
    const validation = args && validations.get(args.object);
    if (!validation) return true;
    const { config, source } = validation;
    const found = judge(value, rule, { dto: args.object, config, source });
    const issues = typeof found === 'string' ? [{ field: args.property, issue: found }] : found;
    validation.problems.push(...(issues ?? []));
    return true;
  };
  return ValidateBy({ name: 'field', validator: { validate } });
}

function judge(
  value: unknown,
  { optional, acceptsNull, takesList, check, issue }: Rule,
  context: CheckContext,
) {
  if (value === undefined && optional) return undefined;
  if (value === null && acceptsNull) return undefined;
  if (value === undefined || (value === null && !optional)) return 'required field missing';
  const isSingle = context.source === 'query' && !takesList;
  const repeated = isSingle && repetitionIssue(value);
  if (repeated) return repeated;
  const found = check?.(value, context);
  return found === undefined || found.length === 0 ? undefined : (issue ?? found);
}

/** Returns the issue of a repeated parameter. Other lists, such as pairs, do not contain text. */
function repetitionIssue(value: unknown): string | undefined {
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) return undefined;
  const times = value.length === 2 ? 'twice' : `${String(value.length)} times`;
  return `was given ${times}; give it once`;
}

const isString: Check = (value) => (typeof value === 'string' ? undefined : 'must be a string');

/** Returns the issue of a list whose items are not all texts of at most `max` characters. */
function textItemsIssue(items: readonly unknown[], max = Infinity): string | undefined {
  if (!items.every((item) => typeof item === 'string')) return 'must contain only strings';
  return items.every((item) => maxLength(item, max))
    ? undefined
    : `must not contain strings longer than ${String(max)} characters`;
}

const isWithin = (value: number, min: number, max: number) => value >= min && value <= max;

/** Returns the issue of a value that is not one of these. */
function mustBe(values: readonly string[]): string {
  return values.length < 3
    ? `must be ${values.join(' or ')}`
    : `must be one of ${values.join(', ')}`;
}

/** Marks a member that can have any form, until the API document is complete. */
export const IGNORED_FORM = 'ignored';
const IGNORED: ApiPropertyOptions = {
  required: false,
  type: String,
  format: IGNORED_FORM,
  description: 'Ignored.',
};

/** Accepts and ignores read-only fields, so that clients can send back what they read. */
export function AcceptsFields(names: readonly string[]): ClassDecorator {
  return ({ prototype }) => {
    for (const name of names) {
      Allow()(prototype as object, name);
      ApiProperty(IGNORED)(prototype as object, name);
    }
  };
}
