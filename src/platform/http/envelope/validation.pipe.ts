import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';
import { Config } from '../../config/config.js';
import { invalidFields, type FieldProblem } from '../../basics/errors/app-error.js';
import { problemsOf } from '../../openapi/field.js';
import { unknownNameIssue } from './nearest-name.js';

type DtoClass = (new () => object) & {
  /** A query field that takes all parameters `<openName>.<key>` and `<openName>[<key>]` as key-value pairs. */
  openName?: string;
  /** Fields that only other requests take, with the message to report here. */
  elsewhere?: Readonly<Record<string, string>>;
};

/** Maximum number of unknown fields to examine, because comparing names takes time. */
const MAX_UNKNOWN_FIELDS = 100;

/**
 * Turns a body or query into its DTO, or refuses it with every problem at once: unknown fields with the nearest known
 * name, and the problems that the DTO's class-validator decorators find.
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  /** Field names of each DTO, in declaration order. */
  private readonly fields = new WeakMap<object, readonly string[]>();
  /** The DTO of an empty query, which most reads have. */
  private readonly defaults = new WeakMap<object, object>();

  constructor(private readonly config: Config) {}

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || metatype === undefined) return value;
    const known = this.fieldsOf(metatype);
    if (known.length === 0) return value;
    const isEmptyQuery = type === 'query' && Object.keys(value as object).length === 0;
    const defaults = isEmptyQuery ? this.defaults.get(metatype) : undefined;
    if (defaults) return defaults;
    const dto = metatype as DtoClass;
    const given = gatherOpen(dto.openName, value as Record<string, unknown>);
    const instance = type === 'query' ? fromQuery(dto, given, known) : fromBody(dto, given, known);
    const [first, ...rest] = [
      ...inOrderOf(known, problemsOf(instance, this.config, type)),
      ...unknownFields(given, known, dto.elsewhere),
    ];
    if (first) throw invalidFields([first, ...rest]);
    if (isEmptyQuery) this.defaults.set(metatype, Object.freeze(instance));
    return instance;
  }

  private fieldsOf(metatype: object): readonly string[] {
    let fields = this.fields.get(metatype);
    if (!fields) {
      const metadata = getMetadataStorage().getTargetValidationMetadatas(
        metatype as new () => object,
        '',
        false,
        false,
      );
      fields = [...new Set(metadata.map(({ propertyName }) => propertyName))];
      this.fields.set(metatype, fields);
    }
    return fields;
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

/** Copied by hand, because class-transformer would walk into open objects and drop keys such as `constructor`. */
function fromBody(dto: DtoClass, given: Record<string, unknown>, known: readonly string[]): object {
  const instance = new dto() as Record<string, unknown>;
  for (const field of known) if (Object.hasOwn(given, field)) instance[field] = given[field];
  return instance;
}

/** Query values are text. The DTO's `@Transform` decorators turn them into numbers and flags. */
function fromQuery(
  dto: DtoClass,
  given: Record<string, unknown>,
  known: readonly string[],
): object {
  const plain = Object.fromEntries(Object.entries(given).filter(([name]) => known.includes(name)));
  return plainToInstance(dto, plain, { exposeDefaultValues: true });
}

/** In the order of the DTO's fields, so the most important one comes first. */
function inOrderOf(known: readonly string[], problems: FieldProblem[]): FieldProblem[] {
  const place = ({ field }: FieldProblem) => known.indexOf(/^[^.[]+/.exec(field)?.[0] ?? '');
  return problems.sort((one, other) => place(one) - place(other));
}

function unknownFields(
  given: Record<string, unknown>,
  known: readonly string[],
  elsewhere: Readonly<Record<string, string>> = {},
): FieldProblem[] {
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .slice(0, MAX_UNKNOWN_FIELDS)
    .map((field) => ({
      field,
      issue: Object.hasOwn(elsewhere, field)
        ? (elsewhere[field] ?? '')
        : unknownNameIssue(field, known),
    }));
}
