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
import { isLongerThan } from '../../../platform/basics/text.js';

/** The fields that a document gets from a template. `metadata` and `aiSettings` are JSON text. */
export type FilledFields = Pick<
  TemplateFields,
  'title' | 'type' | 'content' | 'metadata' | 'aiSettings'
>;

export interface Filled {
  fields: FilledFields;
  /** Required variables without a value or default. Their placeholders stay in the text. */
  missing: string[];
  /** Errors: unknown variables, and texts that become too large. */
  problems: FieldProblem[];
  /** Accepted input that is probably a mistake. */
  warnings: FieldProblem[];
}

/** Maximum number of variable names in a hint. */
const MAX_HINT_NAMES = 10;
/** A character has at most four bytes in UTF-8. */
const MAX_TITLE_BYTES = 4 * MAX_TITLE_CHARACTERS;

interface Filling {
  /** The limit with its unit. */
  limit: string;
  /** Returns `undefined` if the result exceeds the limit. */
  fill: (text: string, values: Values) => string | undefined;
}

const FILLING: Readonly<Record<TextField, Filling>> = {
  title: { limit: `${String(MAX_TITLE_CHARACTERS)} characters`, fill: renderTitle },
  content: {
    limit: `${String(MAX_CONTENT_BYTES)} bytes of UTF-8`,
    fill: (text, values) => renderText(text, values, MAX_CONTENT_BYTES),
  },
  metadata: {
    limit: `${String(MAX_METADATA_BYTES)} bytes of JSON`,
    fill: (text, values) => renderJson(text, values, MAX_METADATA_BYTES),
  },
};

/**
 * Returns the fields of a template with its variables filled. A variable gets its value, otherwise its default, otherwise
 * nothing. Fills only the fields in `taken`; warnings ignore the others.
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
        warning(name, 'has no value and no default, so its placeholders are empty'),
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
    const { limit, fill } = FILLING[field];
    const filled = fill(text, values);
    if (filled !== undefined) fields[field] = filled;
    else {
      const issue = `has more than ${limit} after its variables are filled; use shorter values, or send the field itself`;
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
  if (known.length === 0) return 'the template has no variables';
  const names = known.slice(0, MAX_HINT_NAMES).join(', ');
  return `its variables are ${names}${known.length > MAX_HINT_NAMES ? ', …' : ''}`;
}

/** Returns warnings for unused values: the variable has no placeholder, or the request sent the field itself. */
function unusedNames(
  given: Values,
  variables: readonly Variable[],
  isTaken: (name: string) => boolean,
): FieldProblem[] {
  return variables
    .filter(({ name }) => given.has(name) && !isTaken(name))
    .map(({ name }) => warning(name, 'is not used in any field that comes from the template'));
}

function warning(name: string, issue: string): FieldProblem {
  return { field: `templateVariables.${name}`, issue };
}
