import { isObject } from '../../../platform/http/bodies/json-text.js';
import { nearestName } from '../../../platform/http/envelope/nearest-name.js';
import { isLongerThan } from '../../../platform/basics/text.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import {
  isVariableName,
  MAX_NAME_CHARACTERS,
  type Values,
  namesIn,
  namesInJson,
} from './placeholders.js';
import { readJsonTree } from '../../../platform/http/bodies/json-syntax-tree.js';

/** Maximum number of variables of a template, declared or not. */
export const MAX_VARIABLES = 100;
export const MAX_DEFAULT_CHARACTERS = 10_000;
export const MAX_VARIABLE_DESCRIPTION_CHARACTERS = 500;

/** A variable of a template. It gets the client's value, otherwise its default. A required variable needs one of them. */
export interface Variable {
  name: string;
  required: boolean;
  default: string | null;
  description: string | null;
}

/** A variable as a client declares it. */
export type DeclaredVariable = Pick<Variable, 'name'> & Partial<Variable>;

export const NAME_RULE = `must be a letter or _ and then letters, digits, _, - and ., at most ${String(MAX_NAME_CHARACTERS)} characters in total`;

const MEMBERS = ['name', 'required', 'default', 'description'];

/** Returns the problems of a template's list of variables. */
export function variablesProblems(value: unknown): FieldProblem[] {
  if (!Array.isArray(value)) {
    return [{ field: 'variables', issue: 'must be an array, such as [{"name": "client"}]' }];
  }
  if (value.length > MAX_VARIABLES) {
    const issue = `must not have more than ${String(MAX_VARIABLES)} items`;
    return [{ field: 'variables', issue }];
  }
  const problems = value.flatMap((item, index) =>
    itemProblems(item, `variables[${String(index)}]`),
  );
  return [...problems, ...repetitions(value)];
}

/** Parses the variables of a template. */
export function variablesOf({ variables }: { variables: string }): Variable[] {
  return JSON.parse(variables) as Variable[];
}

/** Returns declared variables in their stored form, with all members. */
export function readVariables(declared: readonly DeclaredVariable[]): Variable[] {
  return declared.map(({ name, required, default: fallback, description }) => ({
    name,
    required: required ?? false,
    default: fallback ?? null,
    description: description ?? null,
  }));
}

function itemProblems(item: unknown, field: string): FieldProblem[] {
  if (!isObject(item)) return [{ field, issue: 'must be an object with a name' }];
  const issues: [string, string | undefined][] = [
    ['name', nameIssue(item['name'])],
    ['required', flagIssue(item['required'])],
    ['default', textIssue(item['default'], MAX_DEFAULT_CHARACTERS)],
    ['description', textIssue(item['description'], MAX_VARIABLE_DESCRIPTION_CHARACTERS)],
    ...Object.keys(item)
      .filter((name) => !MEMBERS.includes(name))
      .slice(0, MAX_VARIABLES)
      .map((name): [string, string] => [name, unknownIssue(name)]),
  ];
  return issues.flatMap(([name, issue]) =>
    issue === undefined ? [] : [{ field: `${field}.${name}`, issue }],
  );
}

function nameIssue(name: unknown): string | undefined {
  if (name === undefined) return 'required field missing';
  return typeof name === 'string' && isVariableName(name) ? undefined : NAME_RULE;
}

function flagIssue(flag: unknown): string | undefined {
  return flag === undefined || typeof flag === 'boolean' ? undefined : 'must be true or false';
}

function textIssue(text: unknown, most: number): string | undefined {
  if (text === undefined || text === null) return undefined;
  if (typeof text !== 'string') return 'must be a string, or null for none';
  return isLongerThan(text, most)
    ? `must not be longer than ${String(most)} characters`
    : undefined;
}

function unknownIssue(name: string): string {
  const nearest = nearestName(name, MEMBERS);
  const hint = nearest ? `did you mean '${nearest}'?` : `known names are ${MEMBERS.join(', ')}`;
  return `is not a known field; ${hint}`;
}

function repetitions(items: readonly unknown[]): FieldProblem[] {
  const seen = new Map<unknown, number>();
  return items.flatMap((item, index) => {
    const name = isObject(item) ? item['name'] : undefined;
    if (typeof name !== 'string') return [];
    const first = seen.get(name);
    seen.set(name, first ?? index);
    if (first === undefined) return [];
    const issue = `is also the name of variables[${String(first)}]; declare each variable once`;
    return [{ field: `variables[${String(index)}].name`, issue }];
  });
}

/** Returns the problems in the structure of `templateVariables`. Does not check that the template has the variables. */
export function inputProblems(value: unknown): FieldProblem[] {
  if (value === null) return [];
  const field = 'templateVariables';
  if (!isObject(value)) {
    return [{ field, issue: 'must be an object, such as {"client": "Ada"}' }];
  }
  const entries = Object.entries(value);
  if (entries.length > MAX_VARIABLES) {
    return [{ field, issue: `must not have more than ${String(MAX_VARIABLES)} members` }];
  }
  return entries.flatMap(([name, member]) =>
    member === null || ['string', 'number', 'boolean'].includes(typeof member)
      ? []
      : [{ field: `${field}.${name}`, issue: 'must be a string, a number, true or false' }],
  );
}

/**
 * Returns the value of each variable in the JSON text of an object as text. Numbers and booleans keep their spelling
 * (`1.0` stays `1.0`); null values are ignored.
 */
export function readInputs(source: string): Values {
  const values = new Map<string, string>();
  const members = readJsonTree(source).root.members;
  for (const [name, member] of Object.entries(JSON.parse(source) as object)) {
    if (typeof member === 'string') values.set(name, member);
    else if (member !== null) {
      const { start = 0, end = 0 } = members?.get(name)?.value ?? {};
      values.set(name, source.slice(start, end));
    }
  }
  return values;
}

/** The fields that can contain placeholders; in metadata, only string values can. */
export const TEXT_FIELDS = ['title', 'content', 'metadata'] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

export type Places = Readonly<Record<TextField, ReadonlySet<string>>>;

/** One more than allowed, so that callers can detect too many variables. */
const MAX_NAMES = MAX_VARIABLES + 1;

/** Returns the variable names that each field uses. */
export function placesOf({
  title,
  content,
  metadata,
}: {
  title: string | null;
  content: string;
  metadata: string;
}): Places {
  return {
    title: namesIn(title ?? '', MAX_NAMES),
    content: namesIn(content, MAX_NAMES),
    metadata: namesInJson(metadata),
  };
}

/** Returns all variables of a template: the declared ones, and undeclared ones as optional variables. */
export function allVariables(declared: readonly Variable[], places: Places): Variable[] {
  const names = new Set(declared.map(({ name }) => name));
  const used = new Set(TEXT_FIELDS.flatMap((field) => [...places[field]]));
  const undeclared = [...used].filter((name) => !names.has(name));
  return [
    ...declared,
    ...undeclared.map((name) => ({ name, required: false, default: null, description: null })),
  ];
}
