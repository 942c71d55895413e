import type { z } from 'zod';
import { presentPerson, type Person } from '../../auth/person.js';
import { isoOf, utcText } from '../../../platform/database/columns.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { encodeId, type IdKind } from '../../../platform/basics/identifiers/identifiers.js';
import { sameJson } from './json-comparison.js';

/** The traits of a field of a resource. Statements, responses, events, versions and archives are generated from them. */
export interface Field<Value, Given = Value> {
  /** Column in the table of the resource and, if the field is versioned, in the table of versions. */
  column: string;
  /** Type of the column. JSON is stored and returned as the text that was sent. `json text` is JSON in a text column. */
  type: 'uuid' | 'text' | 'json' | 'json text' | 'integer' | 'boolean' | 'timestamptz';
  /** Returns the value in responses and events as JSON text; null hides the field from clients. */
  shown: ((value: Value) => string) | null;
  /** True if the value never changes after creation. */
  constant: boolean;
  /**
   * The default value if clients can change the field; a null in a PATCH also sets it. `problems` validates JSON after a
   * PATCH is merged.
   */
  patchable: { initial: Given; problems?: (value: unknown) => FieldProblem[] } | false;
  /**
   * How older versions store the field. `copy`: always. `if changed`: only if the next version has a different value, for
   * large fields that are never null. `delta`: as a delta, only for the content. False: versions do not include it.
   */
  versioned: 'copy' | 'if changed' | 'delta' | false;
  /** Schema of the field in a line of an account archive. False if archives do not include it. */
  archived: z.ZodType<Given> | false;
}

/** A field whose value type is not known. */
export type AnyField = Field<never, unknown>;
/** The fields of a resource, in response order. */
export type FieldMap = Readonly<Record<string, AnyField>>;

/** Names of the fields that have these traits. */
export type FieldsWith<Map, Traits> = {
  [Name in keyof Map]: Map[Name] extends Traits ? Name : never;
}[keyof Map];
export type FieldsWithout<Map, Traits> = Exclude<keyof Map, FieldsWith<Map, Traits>>;

/** Returns the fields whose `trait` is `value`, in order. */
export function fieldsWith<Map extends object, Trait extends keyof Map[keyof Map], const Value>(
  fields: Map,
  trait: Trait,
  value: Value,
): readonly FieldsWith<Map, Record<Trait, Value>>[] {
  const names = Object.keys(fields) as (keyof Map)[];
  return names.filter(
    (name): name is FieldsWith<Map, Record<Trait, Value>> => fields[name][trait] === value,
  );
}

/** Returns the fields whose `trait` is not `value`, in order. */
export function fieldsWithout<Map extends object, Trait extends keyof Map[keyof Map], const Value>(
  fields: Map,
  trait: Trait,
  value: Value,
): readonly FieldsWithout<Map, Record<Trait, Value>>[] {
  const names = Object.keys(fields) as (keyof Map)[];
  return names.filter(
    (name): name is FieldsWithout<Map, Record<Trait, Value>> => fields[name][trait] !== value,
  );
}

/** Returns a function that writes fields as JSON members. Open objects are written exactly as they were sent. */
export function memberWriter(
  fields: Readonly<Record<string, Pick<AnyField, 'shown'>>>,
  names: readonly string[],
): (values: object) => string {
  const members = names.map((name, index) => {
    const show = fields[name]?.shown as ((value: unknown) => string) | null | undefined;
    return { name, start: `${index === 0 ? '' : ','}"${name}":`, show };
  });
  return (values) => {
    let json = '';
    for (const { name, start, show } of members) {
      json += start + (show?.((values as Readonly<Record<string, unknown>>)[name]) ?? 'null');
    }
    return json;
  };
}

/** Returns the value of a field as JSON text. */
export function shownValue(fields: FieldMap, name: string, value: unknown): string {
  return fieldIn(fields, name).shown?.(value as never) ?? 'null';
}

export function isJson({ type }: Pick<AnyField, 'type'>): boolean {
  return type === 'json' || type === 'json text';
}

/** Returns the fields of `names` whose requested value differs from the current one. Omitted fields do not change. */
export function changedFields<Name extends string>(
  fields: FieldMap,
  names: readonly Name[],
  before: Readonly<Record<Name, string | null>>,
  requested: Readonly<Partial<Record<Name, string | null>>>,
): Name[] {
  return names.filter((name) => {
    const [old, value] = [before[name], requested[name]];
    if (value === undefined || value === old) return false;
    return (
      old === null || value === null || !isJson(fieldIn(fields, name)) || !sameJson(old, value)
    );
  });
}

export function fieldIn(fields: FieldMap, name: string): AnyField {
  const field = fields[name];
  if (!field) throw new Error(`Unknown field '${name}'.`);
  return field;
}

export function columnOf(fields: FieldMap, name: string): string {
  return fieldIn(fields, name).column;
}

/** Returns SELECT columns named like the fields. */
export function selectedFields(fields: FieldMap, table: string, names: readonly string[]): string {
  return names.map((name) => `${table}.${columnOf(fields, name)} AS "${name}"`).join(', ');
}

/** Returns SELECT columns for rows that are only presented: times are text. */
export function shownColumns(fields: FieldMap, table: string, names: readonly string[]): string {
  return names
    .map((name) => {
      const { column, type } = fieldIn(fields, name);
      const read = `${table}.${column}`;
      return `${type === 'timestamptz' ? utcText(read) : read} AS "${name}"`;
    })
    .join(', ');
}

/** Returns column definitions for `json_to_recordset`. JSON is passed as text to preserve its spelling. */
export function recordColumns(fields: FieldMap, names: readonly string[]): string {
  return names
    .map((name) => fieldIn(fields, name))
    .map((field) => `${field.column} ${isJson(field) ? 'text' : field.type}`)
    .join(', ');
}

/** Returns the INSERT values for columns of {@link recordColumns}. */
export function recordValues(fields: FieldMap, names: readonly string[]): string {
  return names
    .map((name) => fieldIn(fields, name))
    .map(({ column, type }) => column + (type === 'json' ? '::json' : ''))
    .join(', ');
}

export function idOf(kind: IdKind): (uuid: string) => string {
  return (uuid) => `"${encodeId(kind, uuid)}"`;
}

/** Returns a time as JSON text. Strings are times as {@link shownColumns} selects them. */
export function timeOf(time: Date | string): string {
  return `"${typeof time === 'string' ? isoOf(time) : time.toISOString()}"`;
}

export function personOf(person: Person): string {
  return JSON.stringify(presentPerson(person));
}
