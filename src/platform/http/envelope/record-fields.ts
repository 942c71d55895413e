import { parseTimestamp } from '../../basics/clock/moment.js';
import { decodeId, type IdKind } from '../../basics/identifiers/identifiers.js';
import { invalidFields, type FieldProblem } from '../../basics/errors/app-error.js';
import { isObject, sourceText } from '../bodies/json-text.js';
import { unknownNameIssue } from './nearest-name.js';

/** What is wrong with a member: one issue, or problems with paths of their own; nothing or none when it is right. */
type MemberProblems = string | readonly FieldProblem[] | undefined;

/** Judges a member; what it finds nothing wrong with is a `Value`. */
export interface MemberCheck<Value> {
  (value: unknown): MemberProblems;
  readonly of?: Value;
}

/** Takes the members of a JSON object one by one, and names everything that is wrong with them at once. */
export class RecordFields {
  private readonly problems: FieldProblem[] = [];
  private readonly taken = new Set<string>();

  constructor(private readonly record: Record<string, unknown>) {}

  /** The member. What it gives counts only after {@link end}. */
  take<Value>(name: string, problemsOf: MemberCheck<Value>): Value {
    const value = this.member(name);
    if (value === undefined) this.refuse(name, 'required field missing');
    else this.judge(name, problemsOf(value));
    return value as Value;
  }

  /** Returns `fallback` for a member that is missing, because the record was written before the member existed. */
  takeOr<Value>(name: string, problemsOf: MemberCheck<Value>, fallback: Value): Value {
    return this.member(name) === undefined ? fallback : this.take(name, problemsOf);
  }

  /** Whether the member is null; then it counts as taken. */
  isNull(name: string): boolean {
    return this.member(name) === null;
  }

  /** A time, not after `latest`. */
  takeTime(name: string, latest: Date): Date {
    return timeOf(this.take(name, isTimeUpTo(latest))) ?? latest;
  }

  takeTimeOrNull(name: string, latest: Date): Date | null {
    const value = this.take(name, orNull(isTimeUpTo(latest)));
    return value === null ? null : (timeOf(value) ?? latest);
  }

  /**
   * The source text of a member that is an open object. Line breaks in it, which a line of an archive cannot have, are
   * in a further member that holds the text itself.
   */
  takeSource(name: string, problemsOf: (value: unknown) => MemberProblems): string {
    const value = this.take(name, problemsOf);
    const text = isObject(value) ? sourceText(value) : '';
    const source = this.member(`${name}Source`);
    if (source === undefined) return text;
    if (typeof source === 'string' && withoutLineBreaks(source) === text) return source;
    this.refuse(`${name}Source`, `must be the text of ${name} with its line breaks`);
    return text;
  }

  /** Judges members together, once each of them is right. */
  require(isRight: boolean, field: string, issue: string): void {
    if (!isRight && this.problems.length === 0) this.refuse(field, issue);
  }

  /** Throws `bad_request` for everything found; a member that nobody took is unknown. */
  end(): void {
    const unknown = Object.keys(this.record)
      .filter((name) => !this.taken.has(name))
      .map((field) => ({ field, issue: unknownNameIssue(field, [...this.taken]) }));
    const [first, ...rest] = [...this.problems, ...unknown];
    if (first) throw invalidFields([first, ...rest]);
  }

  private member(name: string): unknown {
    this.taken.add(name);
    return Object.hasOwn(this.record, name) ? this.record[name] : undefined;
  }

  private judge(field: string, found: MemberProblems): void {
    if (typeof found === 'string') this.refuse(field, found);
    else this.problems.push(...(found ?? []));
  }

  private refuse(field: string, issue: string): void {
    this.problems.push({ field, issue });
  }
}

/** JSON of an open object for a line of its own: `takeSource` gives the very text again. */
export function sourceMembers(name: string, text: string): string {
  if (!/[\n\r]/.test(text)) return `"${name}":${text}`;
  return `"${name}":${withoutLineBreaks(text)},"${name}Source":${JSON.stringify(text)}`;
}

/** Strings in JSON have none, so those that are there only lay the text out. */
function withoutLineBreaks(text: string): string {
  return text.replace(/[\n\r]/g, ' ');
}

/** A string of so many UTF-16 units at most. */
export const isText =
  (maxLength: number): MemberCheck<string> =>
  (value) =>
    typeof value === 'string' && value.length <= maxLength
      ? undefined
      : `must be a string of at most ${String(maxLength)} characters`;

export const isWholeNumber =
  (min: number, max: number): MemberCheck<number> =>
  (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
      ? undefined
      : `must be a whole number from ${String(min)} to ${String(max)}`;

export const isOneOf =
  <Name extends string>(known: readonly Name[]): MemberCheck<Name> =>
  (value) =>
    known.includes(value as Name) ? undefined : `must be one of ${known.join(', ')}`;

export const isSomeOf =
  <Name extends string>(known: readonly Name[]): MemberCheck<Name[]> =>
  (value) =>
    Array.isArray(value) &&
    new Set(value).size === value.length &&
    value.every((one) => known.includes(one as Name))
      ? undefined
      : `must be an array of ${known.join(', ')}, each at most once`;

export const isId =
  (kind: IdKind): MemberCheck<string> =>
  (value) =>
    typeof value === 'string' && decodeId(kind, value) !== undefined
      ? undefined
      : `must be the id of a ${kind}`;

export const orNull =
  <Value>(problemsOf: MemberCheck<Value>): MemberCheck<Value | null> =>
  (value) =>
    value === null ? undefined : problemsOf(value);

/** More digits would be lost: times are kept in milliseconds. */
const SMALLER_THAN_A_MILLISECOND = /\.\d{4,}/;

function timeOf(value: unknown): Date | undefined {
  if (typeof value !== 'string' || SMALLER_THAN_A_MILLISECOND.test(value)) return undefined;
  return parseTimestamp(value);
}

const isTimeUpTo =
  (latest: Date): MemberCheck<string> =>
  (value) => {
    const time = timeOf(value);
    if (!time) return 'must be a time such as 2026-11-20T08:00:00.000Z';
    return time > latest ? 'must not be in the future' : undefined;
  };
