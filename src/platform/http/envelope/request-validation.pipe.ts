import {
  Injectable,
  ValidationPipe,
  type ArgumentMetadata,
  type ValidationPipeOptions,
} from '@nestjs/common';
import {
  getMetadataStorage,
  useContainer,
  type ValidationError,
  type ValidatorOptions,
} from 'class-validator';
import { invalidFields, type AppError, type FieldProblem } from '../../basics/errors/app-error.js';
import { Config } from '../../config/config.js';
import { problemsFoundBy, QUERY_GROUP, setConfig } from '../../openapi/field.js';
import { unknownNameIssue } from './nearest-name.js';

type DtoClass = (new () => object) & {
  /** A query field that takes all parameters `<openName>.<key>` and `<openName>[<key>]` as key-value pairs. */
  openName?: string;
  /** Fields that only other requests take, with the message to report here. */
  elsewhere?: Readonly<Record<string, string>>;
};

/** Maximum number of unknown fields to examine, because comparing names takes time. */
const MAX_UNKNOWN_FIELDS = 100;

const OPTIONS = {
  transform: true,
  whitelist: true,
  forbidNonWhitelisted: true,
  stopAtFirstError: true,
  // Validators without groups apply to bodies and queries; those of a group only with that group.
  always: true,
  strictGroups: true,
  validationError: { target: true, value: true },
  exceptionFactory: invalidRequest,
} satisfies ValidationPipeOptions;

/** The validators of class-validator. Its own container searches a list of 1,800 for every field. */
const validators = new Map<unknown, unknown>();
useContainer({
  get: (type: new () => unknown) => {
    const known = validators.get(type) ?? new type();
    validators.set(type, known);
    return known;
  },
});

/** class-validator filters and sorts the validators of a class for every request: 17 µs, 3 % of a creation. */
const storage = getMetadataStorage();
const computeValidators = storage.getTargetValidationMetadatas.bind(storage);
const validatorsOf = new Map<unknown, Map<string, ReturnType<typeof computeValidators>>>();
storage.getTargetValidationMetadatas = (target, schema, always, strictGroups, groups = []) => {
  const known = validatorsOf.get(target) ?? new Map<string, ReturnType<typeof computeValidators>>();
  validatorsOf.set(target, known);
  const key = JSON.stringify([schema, always, strictGroups, groups]);
  const found = known.get(key) ?? computeValidators(target, schema, always, strictGroups, groups);
  known.set(key, found);
  return found;
};

/**
 * Nest's validation pipe. It refuses a request with every problem at once: those that the validators of the DTO find, in
 * the order of its fields, and unknown fields with the nearest known name.
 */
@Injectable()
export class RequestValidationPipe extends ValidationPipe {
  private readonly queries = new ValidationPipe({ ...OPTIONS, groups: [QUERY_GROUP] });
  /** The DTO of an empty query, which most reads have. */
  private readonly defaults = new Map<unknown, object>();

  constructor(private readonly config: Config) {
    super(OPTIONS);
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata;
    if (!metatype || !this.toValidate(metadata)) return value;
    if (type === 'body') return super.transform(bodyOf(metatype, value as object), metadata);
    if (type === 'query') return this.query(metatype as DtoClass, value as object, metadata);
    return value;
  }

  protected override validate(body: object, options?: ValidatorOptions) {
    setConfig(body, this.config);
    return super.validate(body, options);
  }

  private async query(dto: DtoClass, value: object, metadata: ArgumentMetadata): Promise<unknown> {
    const isEmpty = Object.keys(value).length === 0;
    const defaults = isEmpty ? this.defaults.get(dto) : undefined;
    if (defaults) return defaults;
    const given = gatherOpen(dto.openName, value as Record<string, unknown>);
    const members = Object.fromEntries(membersOf(dto, given));
    const query = (await this.queries.transform(members, metadata)) as object;
    if (isEmpty) this.defaults.set(dto, Object.freeze(query));
    return query;
  }
}

function gatherOpen(
  openName: string | undefined,
  given: Record<string, unknown>,
): Record<string, unknown> {
  if (openName === undefined) return given;
  const keyOf = (name: string) => {
    if (name === openName) return '';
    if (name.startsWith(`${openName}.`)) return name.slice(openName.length + 1);
    const isDeep = name.startsWith(`${openName}[`) && name.endsWith(']');
    if (isDeep) return name.slice(openName.length + 1, -1).replaceAll('][', '.');
    // This is encoded twice. The field's check refuses it by name.
    return /^%(5b|2e)/i.test(name.slice(openName.length)) && name.startsWith(openName)
      ? name.slice(openName.length)
      : undefined;
  };
  const pairs: [string, unknown][] = [];
  const others: [string, unknown][] = [];
  for (const [name, value] of Object.entries(given)) {
    const key = keyOf(name);
    if (key === undefined) others.push([name, value]);
    else pairs.push([key, value]);
  }
  return Object.fromEntries(pairs.length > 0 ? [...others, [openName, pairs]] : others);
}

/**
 * Returns a body whose objects and arrays are hidden in functions, unless their members belong to a DTO. Nest and
 * class-transformer would walk through them, however large they are, and remove names such as `constructor`.
 */
function bodyOf(dto: object, given: object): object {
  const { nested } = fieldsOf(dto);
  return Object.fromEntries(
    membersOf(dto, given).map(([name, value]) =>
      typeof value === 'object' && value !== null && !nested.has(name)
        ? [name, () => value]
        : [name, value],
    ),
  );
}

/**
 * Returns the members to validate. Omits unknown fields that no response would list, because class-transformer and
 * class-validator take 8 µs for each. Names that libraries treat specially get an alias, under which they are unknown.
 */
function membersOf(dto: object, given: object): [string, unknown][] {
  const { names, nested } = fieldsOf(dto);
  const members: [string, unknown][] = [];
  let unknown = 0;
  for (const [name, value] of Object.entries(given) as [string, unknown][]) {
    const isKnown = names.includes(name);
    if (!isKnown) unknown += 1;
    if (!isKnown && unknown > MAX_UNKNOWN_FIELDS) continue;
    members.push([aliasOf(name), nested.has(name) ? withAliases(value) : value]);
  }
  return members;
}

/** Returns a nested object, or a list of them, with aliases for its own members. */
function withAliases(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withAliases);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [aliasOf(name), member]));
}

/** No known field starts with this character, and JSON bodies that contain it are refused. */
const ALIAS = '\0';

/**
 * Nest and class-transformer remove some of the names that every object inherits, class-validator takes them for known
 * fields, and a promise never resolves with an object that has a function named `then`. No field has such a name.
 */
const aliasOf = (name: string) =>
  name in Object.prototype || name === 'prototype' || name === 'then' ? ALIAS + name : name;

const nameOf = (property: string) =>
  property.startsWith(ALIAS) ? property.slice(ALIAS.length) : property;

interface Fields {
  /** In declaration order. */
  names: readonly string[];
  /** Those whose value is an object of a DTO class, or a list of them. */
  nested: ReadonlySet<string>;
}

const fields = new Map<object, Fields>();

function fieldsOf(dto: object): Fields {
  let known = fields.get(dto);
  if (!known) {
    const type = dto as new () => object;
    const metadata = getMetadataStorage().getTargetValidationMetadatas(type, '', true, false);
    const nested = metadata.filter(({ type }) => type === 'nestedValidation');
    known = {
      names: [...new Set(metadata.map(({ propertyName }) => propertyName))],
      nested: new Set(nested.map(({ propertyName }) => propertyName)),
    };
    fields.set(dto, known);
  }
  return known;
}

/** Returns the error for everything that class-validator found. */
function invalidRequest(errors: ValidationError[]): AppError {
  const [first, ...rest] = problemsIn(errors);
  return invalidFields([first ?? { field: 'body', issue: 'is not valid' }, ...rest]);
}

/** class-validator reports unknown fields first; a response reports them last. */
function problemsIn(errors: readonly ValidationError[], parent = ''): FieldProblem[] {
  const unknown = errors.filter(isUnknown);
  const known = errors.filter((error) => !isUnknown(error));
  return [...known, ...unknown.slice(0, MAX_UNKNOWN_FIELDS)].flatMap((error) => {
    const field = pathOf(error, parent);
    const found = isUnknown(error) ? unknownIssue(error) : foundIn(error);
    const own = typeof found === 'string' ? [{ field, issue: found }] : found;
    return [...own, ...problemsIn(error.children ?? [], field)];
  });
}

function pathOf({ property, target }: ValidationError, parent: string): string {
  const name = nameOf(property);
  if (parent === '') return name;
  return Array.isArray(target) ? `${parent}[${name}]` : `${parent}.${name}`;
}

const isUnknown = ({ constraints }: ValidationError) =>
  constraints?.['whitelistValidation'] !== undefined;

function unknownIssue({ property, target }: ValidationError): string {
  const dto = target?.constructor as DtoClass;
  const { elsewhere = {} } = dto;
  const name = nameOf(property);
  return Object.hasOwn(elsewhere, name)
    ? (elsewhere[name] ?? '')
    : unknownNameIssue(name, fieldsOf(dto).names);
}

/** Returns the problems that a check found, or the message of the validator that failed. */
function foundIn(error: ValidationError): string | readonly FieldProblem[] {
  return problemsFoundBy(error) ?? Object.values(error.constraints ?? {})[0] ?? [];
}
