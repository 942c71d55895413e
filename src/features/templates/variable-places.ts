import { namesIn } from './placeholders.js';
import { namesInJson } from './render-text.js';
import type { TemplateFields } from './template-fields.js';
import { MAX_VARIABLES, type Variable } from './variables.js';

/** The fields in which variables have a place; in metadata that is inside string values. */
export const TEXT_FIELDS = ['title', 'content', 'metadata'] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

export type Places = Readonly<Record<TextField, ReadonlySet<string>>>;

/** More than a template may use: whoever counts sees that it is too many. */
const MOST_NAMES = MAX_VARIABLES + 1;

/** The names of the variables that each field uses. */
export function placesOf({ title, content, metadata }: Pick<TemplateFields, TextField>): Places {
  return {
    title: namesIn(title ?? '', MOST_NAMES),
    content: namesIn(content, MOST_NAMES),
    metadata: namesInJson(metadata),
  };
}

/** Every variable of a template: the declared ones, and as optional ones those that are used without being declared. */
export function allVariables(declared: readonly Variable[], places: Places): Variable[] {
  const names = new Set(declared.map(({ name }) => name));
  const used = new Set(TEXT_FIELDS.flatMap((field) => [...places[field]]));
  const undeclared = [...used].filter((name) => !names.has(name));
  return [
    ...declared,
    ...undeclared.map((name) => ({ name, required: false, default: null, description: null })),
  ];
}
