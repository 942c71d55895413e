import { nearestName } from '../../../platform/http/envelope/nearest-name.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { aiSettingsWarnings } from '../../content/suggestion-level.js';
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

/** Maximum number of reported texts per field that look like placeholders. */
const MAX_LOOK_ALIKES = 5;

/** Returns the problems of a template as a whole. */
export function templateProblems(fields: TemplateFields): FieldProblem[] {
  const places = placesOf(fields);
  if (allVariables(variablesOf(fields), places).length <= MAX_VARIABLES) return [];
  const field = TEXT_FIELDS.find((one) => places[one].size > 0) ?? 'content';
  const issue = `uses too many variables: a template has at most ${String(MAX_VARIABLES)}, declared or not`;
  return [{ field, issue }];
}

/** Returns warnings for accepted input that is probably a mistake. */
export function templateWarnings(fields: TemplateFields): FieldProblem[] {
  const places = placesOf(fields);
  const variables = variablesOf(fields);
  return [
    ...undeclared(variables, places),
    ...variables.flatMap((variable, index) => declarationWarnings(variable, index, places)),
    ...lookAlikes(fields),
    ...aiSettingsWarnings(fields.aiSettings),
  ];
}

function undeclared(variables: readonly Variable[], places: Places): FieldProblem[] {
  const names = variables.map(({ name }) => name);
  const reported = new Set(names);
  return TEXT_FIELDS.flatMap((field) =>
    [...places[field]].flatMap((name) => {
      if (reported.has(name)) return [];
      reported.add(name);
      const nearest = nearestName(name, names);
      const hint = nearest ? `; did you mean '${nearest}'?` : '';
      const issue = `uses {{${name}}}, which is not declared in variables and therefore optional${hint}`;
      return [{ field, issue }];
    }),
  );
}

function declarationWarnings(variable: Variable, index: number, places: Places): FieldProblem[] {
  const field = `variables[${String(index)}]`;
  const warnings: FieldProblem[] = [];
  if (!TEXT_FIELDS.some((one) => places[one].has(variable.name))) {
    const issue = `is not used in title, content or metadata; add {{${variable.name}}} where you need it`;
    warnings.push({ field: `${field}.name`, issue });
  }
  if (variable.required && variable.default !== null) {
    const issue = 'has no effect, because the variable has a default';
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
      issue: `contains ${text}, which is not a valid placeholder and stays as text; a name ${NAME_RULE}`,
    })),
  );
}
