import { z } from 'zod';
import { decodeId, type IdKind } from '../../../platform/basics/identifiers/identifiers.js';
import { invalidFields, type FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { parseTimestamp } from '../../../platform/basics/clock/moment.js';
import { sourceText } from '../../../platform/http/bodies/json-text.js';
import { unknownNameIssue } from '../../../platform/http/envelope/nearest-name.js';
import type { Person } from '../../auth/person.js';

/** Returns a schema for values in which `problemsOf` finds no problem. */
export function checked<Value>(
  problemsOf: (value: unknown) => string | readonly FieldProblem[] | undefined,
): z.ZodType<Value> {
  return z.custom<Value>().superRefine((value, context) => {
    const found = problemsOf(value) ?? [];
    if (typeof found === 'string') context.addIssue({ code: 'custom', message: found });
    else
      for (const { field, issue } of found)
        context.addIssue({ code: 'custom', message: issue, params: { field } });
  });
}

/** `max` is in UTF-16 units. */
export const text = (max: number): z.ZodType<string> =>
  z.custom<string>(
    (value) => typeof value === 'string' && value.length <= max,
    `must be a string of at most ${String(max)} characters`,
  );

export const wholeNumber = (min: number, max: number): z.ZodType<number> =>
  z.custom<number>(
    (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
    `must be a whole number from ${String(min)} to ${String(max)}`,
  );

export const oneOf = <Name extends string>(names: readonly Name[]): z.ZodType<Name> =>
  z.custom<Name>((value) => names.includes(value as Name), `must be one of ${names.join(', ')}`);

export const someOf = <Name extends string>(names: readonly Name[]): z.ZodType<Name[]> =>
  z.custom<Name[]>(
    (value) =>
      Array.isArray(value) &&
      new Set(value).size === value.length &&
      value.every((one) => names.includes(one as Name)),
    `must be an array of ${names.join(', ')}, each at most once`,
  );

/** Reads a public id as a UUID. */
export const uuid = (kind: IdKind): z.ZodType<string> =>
  read(
    (value) => (typeof value === 'string' ? decodeId(kind, value) : undefined),
    `must be the id of a ${kind}`,
  );

const PERSON = z.object({
  id: uuid('user'),
  name: text(1_000),
  email: text(1_000),
});

/** Reads a user with its UUID. */
export const person: z.ZodType<Person> = read(
  (value) => PERSON.safeParse(value).data,
  'must be a user with id, name and email',
);

/** Stored times have milliseconds. */
const SMALLER_THAN_A_MILLISECOND = /\.\d{4,}/;

export const time: z.ZodType<Date> = read(
  (value) =>
    typeof value === 'string' && !SMALLER_THAN_A_MILLISECOND.test(value)
      ? parseTimestamp(value)
      : undefined,
  'must be a time such as 2026-11-20T08:00:00.000Z',
);

/** Reads an open object as its source text. */
export const openObject = (
  problemsOf: (value: unknown) => readonly FieldProblem[],
): z.ZodType<string> =>
  checked<Record<string, unknown>>(problemsOf).transform((value) => sourceText(value));

/** Reads a value with a function that returns `undefined` for an invalid one. */
export function read<Value>(
  valueOf: (value: unknown) => Value | undefined,
  message: string,
): z.ZodType<Value> {
  return z.unknown().transform((given, context) => {
    const value = valueOf(given);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
}

/** Parses the JSON object of a line. Throws `bad_request` listing every problem. */
export function parseLine<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  line: Record<string, unknown>,
): z.infer<z.ZodObject<Shape>> {
  const { data, error } = schema.safeParse(line);
  if (!error) return data;
  throwProblems(
    error.issues.flatMap((issue) => problemsOf(issue, line, Object.keys(schema.shape))),
  );
  throw error;
}

function problemsOf(
  issue: z.core.$ZodIssue,
  line: Record<string, unknown>,
  known: readonly string[],
): FieldProblem[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((field) => ({ field, issue: unknownNameIssue(field, known) }));
  const field = String(issue.path[0]);
  if (!Object.hasOwn(line, field)) return [{ field, issue: 'required field missing' }];
  const inner =
    issue.code === 'custom' ? (issue.params?.['field'] as string | undefined) : undefined;
  return [{ field: inner ?? field, issue: issue.message }];
}

/** Throws `bad_request` if there are problems. */
export function throwProblems(problems: readonly (FieldProblem | undefined)[]): void {
  const [first, ...rest] = problems.filter((problem) => problem !== undefined);
  if (first) throw invalidFields([first, ...rest]);
}
