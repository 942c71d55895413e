import { MAX_METADATA_BYTES } from '../../content/open-objects.js';
import { MAX_CONTENT_BYTES, MAX_TITLE_CHARACTERS } from '../../content/text-fields.js';
import { nearestName } from '../../../platform/http/envelope/nearest-name.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { renderJson, renderText, type Values } from './placeholders.js';
import type { TemplateFields } from '../template-fields.js';
import {
  allVariables,
  placesOf,
  TEXT_FIELDS,
  type TextField,
  variablesOf,
  type Variable,
} from './variables.js';
import { isLongerThan } from '../../../platform/http/envelope/text-length.js';

/** What a template gives a document. `metadata` and `aiSettings` are JSON text. */
export type FilledFields = Pick<
  TemplateFields,
  'title' | 'type' | 'content' | 'metadata' | 'aiSettings'
>;

export interface Filled {
  fields: FilledFields;
  /** Required variables that neither a value nor a default fills: their places are left as they are written. */
  missing: string[];
  /** What a document cannot be made of: names the template has not, texts that become too large. */
  problems: FieldProblem[];
  /** What was accepted and is probably not meant. */
  warnings: FieldProblem[];
}

/** Names that a problem lists when none is near. */
const MAX_NAMES_TOLD = 10;
/** A character has at most four bytes of UTF-8. */
const MAX_TITLE_BYTES = 4 * MAX_TITLE_CHARACTERS;

interface Filling {
  /** The limit, in words. */
  most: string;
  /** `undefined` when the result is beyond the limit. */
  fill: (text: string, values: Values) => string | undefined;
}

const FILLING: Readonly<Record<TextField, Filling>> = {
  title: { most: `${String(MAX_TITLE_CHARACTERS)} characters`, fill: renderTitle },
  content: {
    most: `${String(MAX_CONTENT_BYTES)} bytes of UTF-8`,
    fill: (text, values) => renderText(text, values, MAX_CONTENT_BYTES),
  },
  metadata: {
    most: `${String(MAX_METADATA_BYTES)} bytes of JSON`,
    fill: (text, values) => renderJson(text, values, MAX_METADATA_BYTES),
  },
};

/**
 * The fields of a template with their variables filled: by what is given, else by the default, else by nothing. Only the
 * fields in `taken` are wanted; the others are not filled, and no warning is about them.
 */
export function fillTemplate(
  template: TemplateFields,
  given: Values,
  taken: ReadonlySet<TextField> = new Set(TEXT_FIELDS),
): Filled {
  const places = placesOf(template);
  const variables = allVariables(variablesOf(template), places);
  const values = new Map(given);
  for (const { name, default: fallback } of variables) {
    if (fallback !== null && !given.has(name)) values.set(name, fallback);
  }
  const unfilled = variables.filter(({ name }) => !values.has(name));
  const missing = unfilled.filter(({ required }) => required).map(({ name }) => name);
  const isTaken = (name: string) => [...taken].some((field) => places[field].has(name));
  const leftEmpty = unfilled.filter(({ name, required }) => !required && isTaken(name));
  for (const name of missing) values.set(name, `{{${name}}}`);
  const { fields, problems } = render(template, values, taken);
  return {
    fields,
    missing,
    problems: [...unknownNames(given, variables), ...problems],
    warnings: [
      ...leftEmpty.map(({ name }) =>
        warning(name, 'is not given and has no default; its places are empty'),
      ),
      ...unusedNames(given, variables, isTaken),
    ],
  };
}

function render(
  { title, type, content, metadata, aiSettings }: TemplateFields,
  values: Values,
  taken: ReadonlySet<TextField>,
): Pick<Filled, 'fields' | 'problems'> {
  const fields: FilledFields = { title, type, content, metadata, aiSettings };
  const problems: FieldProblem[] = [];
  for (const field of taken) {
    const text = fields[field];
    if (text === null) continue;
    const { most, fill } = FILLING[field];
    const filled = fill(text, values);
    if (filled !== undefined) fields[field] = filled;
    else {
      const issue = `has more than ${most} once its variables are filled; give shorter values, or send the field itself`;
      problems.push({ field, issue });
    }
  }
  return { fields, problems };
}

function renderTitle(title: string, values: Values): string | undefined {
  const text = renderText(title, values, MAX_TITLE_BYTES);
  return text === undefined || isLongerThan(text, MAX_TITLE_CHARACTERS) ? undefined : text;
}

function unknownNames(given: Values, variables: readonly Variable[]): FieldProblem[] {
  const known = variables.map(({ name }) => name);
  return [...given.keys()]
    .filter((name) => !known.includes(name))
    .map((name) => warning(name, `is not a variable of the template; ${hint(name, known)}`));
}

function hint(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  if (nearest !== undefined) return `did you mean '${nearest}'?`;
  if (known.length === 0) return 'it has none';
  const told = known.slice(0, MAX_NAMES_TOLD).join(', ');
  return `its variables are ${told}${known.length > MAX_NAMES_TOLD ? ', …' : ''}`;
}

/** A value that went nowhere: the field it belongs to came from the request, or the variable has no place. */
function unusedNames(
  given: Values,
  variables: readonly Variable[],
  isTaken: (name: string) => boolean,
): FieldProblem[] {
  return variables
    .filter(({ name }) => given.has(name) && !isTaken(name))
    .map(({ name }) => warning(name, 'is used in no field that comes from the template'));
}

function warning(name: string, issue: string): FieldProblem {
  return { field: `templateVariables.${name}`, issue };
}
