import { nearestName } from '../../../platform/http/envelope/nearest-name.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { lookAlikesIn, stringValuesIn } from './placeholders.js';
import type { TemplateFields } from '../template-fields.js';
import {
  allVariables,
  placesOf,
  TEXT_FIELDS,
  type Places,
  MAX_VARIABLES,
  NAME_RULE,
  variablesOf,
  type Variable,
} from './variables.js';

/** Texts that look like variables, told of one field. */
const MAX_LOOK_ALIKES = 5;

/** What makes a template as a whole one that cannot be kept. */
export function templateProblems(fields: TemplateFields): FieldProblem[] {
  const places = placesOf(fields);
  if (allVariables(variablesOf(fields), places).length <= MAX_VARIABLES) return [];
  const field = TEXT_FIELDS.find((one) => places[one].size > 0) ?? 'content';
  const issue = `uses too many variables: a template has at most ${String(MAX_VARIABLES)}, declared or not`;
  return [{ field, issue }];
}

/** What is accepted in a template and probably not meant. */
export function templateWarnings(fields: TemplateFields): FieldProblem[] {
  const places = placesOf(fields);
  const variables = variablesOf(fields);
  return [
    ...undeclared(variables, places),
    ...variables.flatMap((variable, index) => doubts(variable, index, places)),
    ...lookAlikes(fields),
  ];
}

function undeclared(variables: readonly Variable[], places: Places): FieldProblem[] {
  const names = variables.map(({ name }) => name);
  const told = new Set(names);
  return TEXT_FIELDS.flatMap((field) =>
    [...places[field]].flatMap((name) => {
      if (told.has(name)) return [];
      told.add(name);
      const nearest = nearestName(name, names);
      const hint = nearest ? `; did you mean '${nearest}'?` : '';
      const issue = `uses {{${name}}}, which variables does not declare, so it is optional${hint}`;
      return [{ field, issue }];
    }),
  );
}

function doubts(variable: Variable, index: number, places: Places): FieldProblem[] {
  const field = `variables[${String(index)}]`;
  const warnings: FieldProblem[] = [];
  if (!TEXT_FIELDS.some((one) => places[one].has(variable.name))) {
    const issue = `is used neither in title nor in content nor in metadata; write {{${variable.name}}} where it belongs`;
    warnings.push({ field: `${field}.name`, issue });
  }
  if (variable.required && variable.default !== null) {
    const issue = 'has no effect beside a default, which fills the variable when nothing is given';
    warnings.push({ field: `${field}.required`, issue });
  }
  return warnings;
}

function lookAlikes({ title, content, metadata }: TemplateFields): FieldProblem[] {
  const values = Array.from(stringValuesIn(metadata), ({ value }) => value);
  const texts = { title: title ?? '', content, metadata: values.join('\n') };
  return TEXT_FIELDS.flatMap((field) =>
    lookAlikesIn(texts[field], MAX_LOOK_ALIKES).map((text) => ({
      field,
      issue: `has ${text}, which is no variable and stays as it is; a name ${NAME_RULE}`,
    })),
  );
}
