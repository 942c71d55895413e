import { isPerson, presentPerson, readPerson, type Person } from '../../access/auth/person.js';
import {
  isId,
  type MemberCheck,
  type RecordFields,
} from '../../../platform/http/envelope/record-fields.js';
import { isoOf, utcText } from '../../../platform/database/columns.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import {
  decodeId,
  encodeId,
  type IdKind,
} from '../../../platform/basics/identifiers/identifiers.js';
import { sameJson } from './same-json.js';

/** What the service has to know of a field of a resource; everything that handles the resource field by field asks here. */
export interface Field<Value, Given = Value> {
  /** Of the table of the resource, and of the table of its versions if it is versioned. */
  column: string;
  /** Of the column. JSON is kept and shown as the text that was sent; as `json text` in a column of text. */
  type: 'uuid' | 'text' | 'json' | 'json text' | 'integer' | 'timestamptz';
  /** Its value in answers and events as JSON text, under the name of the property; null hides it from clients. */
  shown: ((value: Value) => string) | null;
  /** Whether it stays what it was when the resource was made. */
  constant: boolean;
  /**
   * Whether clients may change it: what it is when they do not say, and after null in a PATCH; for JSON, what can be wrong
   * with what a PATCH makes of it.
   */
  patchable: { initial: Given; problems?: (value: unknown) => FieldProblem[] } | false;
  /**
   * How the versions before the current one keep it: as a copy; as a copy only where the next version has another value
   * (for what is large and never null); or as a delta, which is the content alone. False: it is no part of what a version was.
   */
  versioned: 'copy' | 'if changed' | 'delta' | false;
  /** Takes it out of a line of an account's archive, where it stands as it is shown. False: archives do not have it. */
  archived: ((line: RecordFields, name: string, latest: Date) => Given) | false;
}

/** A field of which only the name is known. */
export type AnyField = Field<never, unknown>;
/** The fields of a resource, in the order in which answers show them. */
export type FieldMap = Readonly<Record<string, AnyField>>;

/** The names of the fields that have these traits. */
export type FieldsWith<Map, Traits> = {
  [Name in keyof Map]: Map[Name] extends Traits ? Name : never;
}[keyof Map];
export type FieldsWithout<Map, Traits> = Exclude<keyof Map, FieldsWith<Map, Traits>>;

/** The fields of which a trait is `value`, in order. */
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

/** The fields of which a trait is anything but `value`. */
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

/** Writes fields as answers show them, as members of a JSON object: open objects go out to the letter as they came in. */
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

/** The value of a field as JSON text. */
export function shownValue(fields: FieldMap, name: string, value: unknown): string {
  return fieldIn(fields, name).shown?.(value as never) ?? 'null';
}

/** Whether the value of a field is JSON text. */
export function isJson({ type }: Pick<AnyField, 'type'>): boolean {
  return type === 'json' || type === 'json text';
}

/** The fields of `names` in which a resource differs from what is wanted of it; what is not wanted otherwise stays. */
export function changedFields<Name extends string>(
  fields: FieldMap,
  names: readonly Name[],
  before: Readonly<Record<Name, string | null>>,
  wanted: Readonly<Partial<Record<Name, string | null>>>,
): Name[] {
  return names.filter((name) => {
    const [now, then] = [before[name], wanted[name]];
    if (then === undefined || then === now) return false;
    return now === null || then === null || !isJson(fieldIn(fields, name)) || !sameJson(now, then);
  });
}

export function fieldIn(fields: FieldMap, name: string): AnyField {
  const field = fields[name];
  if (!field) throw new Error(`There is no field '${name}'.`);
  return field;
}

export function columnOf(fields: FieldMap, name: string): string {
  return fieldIn(fields, name).column;
}

/** The columns of fields for a SELECT, named like the fields. */
export function selectedFields(fields: FieldMap, table: string, names: readonly string[]): string {
  return names.map((name) => `${table}.${columnOf(fields, name)} AS "${name}"`).join(', ');
}

/** The same for what is only shown: times are text. */
export function shownColumns(fields: FieldMap, table: string, names: readonly string[]): string {
  return names
    .map((name) => {
      const { column, type } = fieldIn(fields, name);
      const read = `${table}.${column}`;
      return `${type === 'timestamptz' ? utcText(read) : read} AS "${name}"`;
    })
    .join(', ');
}

/** The columns of fields in a `json_to_recordset`. JSON is handed over as text, which keeps its spelling. */
export function recordColumns(fields: FieldMap, names: readonly string[]): string {
  return names
    .map((name) => fieldIn(fields, name))
    .map((field) => `${field.column} ${isJson(field) ? 'text' : field.type}`)
    .join(', ');
}

/** Their values for an INSERT. */
export function recordValues(fields: FieldMap, names: readonly string[]): string {
  return names
    .map((name) => fieldIn(fields, name))
    .map(({ column, type }) => column + (type === 'json' ? '::json' : ''))
    .join(', ');
}

export function idOf(kind: IdKind): (uuid: string) => string {
  return (uuid) => `"${encodeId(kind, uuid)}"`;
}

/** Of a Date, or of text as {@link shownColumns} has it. */
export function timeOf(time: Date | string): string {
  return `"${typeof time === 'string' ? isoOf(time) : time.toISOString()}"`;
}

export function personOf(person: Person): string {
  return JSON.stringify(presentPerson(person));
}

export function take<Value>(
  problemsOf: MemberCheck<Value>,
): (line: RecordFields, name: string) => Value {
  return (line, name) => line.take(name, problemsOf);
}

export function takeId(kind: IdKind): (line: RecordFields, name: string) => string {
  return (line, name) => uuidIn(kind, line.take(name, isId(kind)));
}

export function takeTime(line: RecordFields, name: string, latest: Date): Date {
  return line.takeTime(name, latest);
}

/** What is no person is refused at the end of the line. */
export function takePerson(line: RecordFields, name: string): Person {
  const person = line.take(name, isPerson);
  return isPerson(person) === undefined ? readPerson(person) : person;
}

/** Of a public id; anything else stays, to be refused at the end of the line. */
export function uuidIn<Id extends string | null>(kind: IdKind, id: Id): Id {
  return (typeof id === 'string' ? (decodeId(kind, id) ?? id) : id) as Id;
}
