import { isBlank } from '../basics/text.js';
import { applyDecorators } from '@nestjs/common';
import {
  ApiProperty,
  type ApiPropertyOptions,
  type ReferenceObject,
  type SchemaObject,
} from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  ArrayMinSize,
  Equals,
  IsArray,
  IsBoolean,
  IsDefined,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  Validate,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  type ValidationArguments,
  type ValidationError,
  type ValidationOptions,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { parseTimestamp } from '../basics/clock/moment.js';
import type { FieldProblem } from '../basics/errors/app-error.js';
import type { IdKind } from '../basics/identifiers/identifiers.js';
import type { Config } from '../config/config.js';
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
 * `undefined`, and null only if the field does not accept null. `dto` is the body or query, for rules that depend on other
 * fields.
 */
export type Check = (value: unknown, dto: object) => string | readonly FieldProblem[] | undefined;

const CONFIG = Symbol('config');

/** Makes the service's configuration available to the checks of a body. */
export function setConfig(body: object, config: Config): void {
  Object.defineProperty(body, CONFIG, { value: config });
}

/**
 * Returns the configuration for checks that depend on it. class-validator has one container a process, so validators
 * cannot inject it where several applications run, such as in tests.
 */
export function configFor(body: object): Config {
  const { [CONFIG]: config } = body as { [CONFIG]?: Config };
  if (!config) throw new Error('Only checks of bodies can use the configuration.');
  return config;
}

/** The options of every field. `check` replaces the validators of the field's kind. */
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
  /** Replaces the message of the check, or of the kind's validators. */
  issue?: string;
}

interface Limits {
  min?: number;
  max?: number;
}

type Schema =
  | SchemaObject
  | ApiPropertyOptions
  // Nest takes such a schema of a query parameter unchanged. Without a type, it would add a reference to an object.
  | { type: StringConstructor; schema: SchemaObject };

/**
 * Decorators for the members of DTO classes. Each one composes `@ApiProperty` with the decorators of class-validator and
 * class-transformer that check and convert the member in bodies and queries. Fields are required unless they are
 * `optional`. Responses are not validated.
 */
export const Field = {
  /** Text of at most `max` characters. */
  text: ({
    max,
    min,
    notBlank = false,
    oneLine = false,
    ...options
  }: FieldOptions & { max: number; min?: number; notBlank?: boolean; oneLine?: boolean }) => {
    const message = messageOf(options);
    return describeField(
      {
        type: String,
        pattern: KEPT_TEXT,
        minLength: min ?? (notBlank ? 1 : undefined),
        maxLength: max,
      },
      options,
      [
        IsString(message(`must be a string${options.nullable === true ? ' or null' : ''}`)),
        ...(notBlank ? [IsNotBlank(message('must not be blank'))] : []),
        ...(oneLine
          ? [Matches(/^\P{Cc}*$/u, message('must be one line, without control characters'))]
          : []),
        MaxLength(max, message(`must not be longer than ${String(max)} characters`)),
      ],
    );
  },

  /** A public id. */
  id: (kind: IdKind, options: FieldOptions = {}) =>
    describeField({ ...idSchema(kind), example: sampleId(kind) }, options),

  /** A time. In requests it can have any UTC offset. */
  time: ({ max, ...options }: FieldOptions & { max?: number } = {}) =>
    describeField({ ...timestampSchema(), ...(max !== undefined && { maxLength: max }) }, options, [
      IsTimestamp(
        messageOf(options)(`must be a time with a UTC offset, such as ${String(options.example)}`),
      ),
    ]),

  /** An email address. Services validate its form themselves. */
  email: (options: FieldOptions = {}) =>
    describeField(
      { type: String, format: 'email', maxLength: 254, example: 'ada@example.com' },
      options,
      [IsString(messageOf(options)('must be a string'))],
    ),

  uri: ({ max = 2048, ...options }: FieldOptions & { max?: number } = {}) =>
    describeField({ type: String, format: 'uri', maxLength: max }, options, [
      IsString(messageOf(options)('must be a string')),
    ]),

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
    describeField({ enum: [...values] }, options, [
      IsIn(values, messageOf(options)(mustBe(values))),
    ]),

  /** Always this value. */
  constant: (value: string | boolean, options: FieldOptions = {}) =>
    describeField({ enum: [value], example: value }, options, [
      Equals(value, messageOf(options)(`must be ${String(value)}`)),
    ]),

  flag: (options: FieldOptions = {}) =>
    describeField({ type: Boolean }, options, [
      IsBoolean(messageOf(options)('must be true or false')),
    ]),

  /** A whole number from 0 to 2³¹ − 1, or within the limits. */
  integer: ({ min = 0, max = MAX_INT32, ...options }: FieldOptions & Limits = {}) => {
    const message = messageOf(options)(
      `must be a whole number from ${String(min)} to ${String(max)}`,
    );
    return describeField(
      { type: 'integer', format: max > MAX_INT32 ? 'int64' : 'int32', minimum: min, maximum: max },
      options,
      [IsInt(message), Min(min, message), Max(max, message)],
    );
  },

  number: ({ min = 0, max, ...options }: FieldOptions & { min?: number; max: number }) => {
    const message = messageOf(options)(
      `must be a number from ${String(min)} to ${String(max)}${options.nullable === true ? ', or null' : ''}`,
    );
    return describeField(
      { type: 'number', format: 'double', minimum: min, maximum: max },
      options,
      [IsNumber({}, message), Min(min, message), Max(max, message)],
    );
  },

  /** An object of a DTO class, whose members are validated unless there is a `check`, or with this schema. */
  object: (type: (new () => object) | SchemaObject, options: FieldOptions = {}) =>
    describeField(typeof type === 'function' ? { type } : { type: 'object', ...type }, options, [
      IsObject(messageOf(options)('must be an object')),
      ...(typeof type === 'function' ? [ValidateNested(), Type(() => type)] : [AsSent()]),
    ]),

  /** A list of objects of a DTO class (see `object`), of some of these values, or of items with this schema. */
  list: (
    items: (new () => object) | readonly string[] | SchemaObject | ReferenceObject,
    {
      min = 0,
      max = Infinity,
      empty = 'must not be empty',
      unique,
      ...options
    }: FieldOptions & Limits & { empty?: string; unique?: string } = {},
  ) => {
    const message = messageOf(options);
    return describeField(
      {
        ...(typeof items === 'function'
          ? { type: [items] }
          : { type: 'array', items: Array.isArray(items) ? enumSchema(items) : items }),
        minItems: min || undefined,
        maxItems: max === Infinity ? undefined : max,
      } as Schema,
      options,
      [
        IsArray(message('must be an array')),
        ...(min > 0 ? [ArrayMinSize(min, message(empty))] : []),
        ...(unique === undefined ? [] : [HasNoRepetition(message(unique))]),
        ...(max === Infinity
          ? []
          : [ArrayMaxSize(max, message(`must have at most ${String(max)} items`))]),
        ...itemValidators(items, message),
      ],
    );
  },

  /** A field whose schema no other kind covers, with its validators. */
  schema: (
    schema: Schema,
    options: FieldOptions = {},
    validators: readonly PropertyDecorator[] = [],
  ) => describeField(schema, options, [...validators, AsSent()]),
};

/** Group of the validators that apply to queries only. */
export const QUERY_GROUP = 'query';

function describeField(
  schema: Schema,
  { optional = false, ignoresNull = false, takesList, check, issue, ...options }: FieldOptions,
  decorators: readonly PropertyDecorator[] = [],
): PropertyDecorator {
  const required = optional ? { required: false } : {};
  const isList = takesList ?? (Array.isArray(schema.type) || schema.type === 'array');
  return applyDecorators(
    ApiProperty({ ...schema, ...required, ...options } as ApiPropertyOptions),
    ...presence(optional, options.nullable === true || ignoresNull),
    ...(isList ? [] : [Validate(IsGivenOnce, { groups: [QUERY_GROUP] })]),
    ...(check ? [Problems(check, issue), AsSent()] : decorators),
  );
}

function presence(optional: boolean, acceptsNull: boolean): PropertyDecorator[] {
  if (optional) {
    return [acceptsNull ? IsOptional() : ValidateIf((_, value) => value !== undefined)];
  }
  const defined = IsDefined({ message: 'required field missing' });
  return acceptsNull ? [ValidateIf((_, value) => value !== null), defined] : [defined];
}

/**
 * Several problems of a field, each with its own path. A validator of class-validator has one message, so the validation
 * pipe calls the check again.
 */
function Problems(check: Check, issue?: string): PropertyDecorator {
  const find: Check = (value, dto) => {
    const found = check(value, dto);
    return found === undefined || found.length === 0 ? undefined : (issue ?? found);
  };
  const validate = (value: unknown, args?: ValidationArguments) =>
    find(value, args?.object ?? {}) === undefined;
  // class-validator only reports a context together with a message.
  const options = { message: 'is not valid', context: { find } };
  return ValidateBy({ name: 'problems', validator: { validate } }, options);
}

/** Returns the problems of a field with {@link Problems}. */
export function problemsFoundBy({ contexts, value, target = {} }: ValidationError) {
  const { problems } = (contexts ?? {}) as { problems?: { find: Check } };
  return problems?.find(value, target);
}

/**
 * Sets the field to the value as it was sent. class-transformer copies objects without names such as `constructor`; the
 * copy also has no source text. The validation pipe hides values in functions, which class-transformer does not copy.
 */
function AsSent(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'function' ? (value as () => unknown)() : value,
  );
}

type Message = (text: string) => ValidationOptions;

/** Returns the options of validators with this message, unless the field has its own. */
function messageOf({ issue }: FieldOptions): Message {
  return (text) => ({ message: issue ?? text });
}

const IsNotBlank = (options: ValidationOptions) =>
  Satisfies('isNotBlank', (text) => typeof text === 'string' && !isBlank(text), options);

const IsTimestamp = (options: ValidationOptions) =>
  Satisfies(
    'isTimestamp',
    (time) => typeof time === 'string' && parseTimestamp(time) !== undefined,
    options,
  );

/** Like `@ArrayUnique`, which takes quadratic time. */
const HasNoRepetition = (options: ValidationOptions) =>
  Satisfies(
    'hasNoRepetition',
    (items) => Array.isArray(items) && new Set(items).size === items.length,
    options,
  );

function Satisfies(
  name: string,
  validate: (value: unknown) => boolean,
  options: ValidationOptions,
): PropertyDecorator {
  return ValidateBy({ name, validator: { validate } }, options);
}

/** Refuses repeated parameters, which Express reads as lists. Other lists, such as pairs, do not contain text. */
@ValidatorConstraint({ name: 'isGivenOnce' })
class IsGivenOnce implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return !Array.isArray(value) || !value.every((one) => typeof one === 'string');
  }

  defaultMessage(args?: ValidationArguments): string {
    const times = (args?.value as unknown[]).length;
    return `was given ${times === 2 ? 'twice' : `${String(times)} times`}; give it once`;
  }
}

function itemValidators(
  items: (new () => object) | readonly string[] | SchemaObject | ReferenceObject,
  message: Message,
): PropertyDecorator[] {
  if (typeof items === 'function') {
    return [ValidateNested({ message: 'must be an object' }), Type(() => items), HasNoLists()];
  }
  if (Array.isArray(items)) {
    return [IsIn(items, { ...message(mustBe(items)), each: true }), AsSent()];
  }
  if (!('type' in items) || items.type !== 'string') return [AsSent()];
  const { maxLength } = items;
  const tooLong = `must not contain strings longer than ${String(maxLength)} characters`;
  return [
    IsString({ ...message('must contain only strings'), each: true }),
    ...(maxLength === undefined ? [] : [MaxLength(maxLength, { ...message(tooLong), each: true })]),
    AsSent(),
  ];
}

/** Makes `@ValidateNested` refuse a list as an item. It would validate the items of that list instead. */
function HasNoLists(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    Array.isArray(value)
      ? value.map((item: unknown) => (Array.isArray(item) ? null : item))
      : value,
  );
}

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
      AsSent()(prototype as object, name);
      ApiProperty(IGNORED)(prototype as object, name);
    }
  };
}
