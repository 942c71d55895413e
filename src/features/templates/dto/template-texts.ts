import { isBlank } from '../../../platform/basics/text.js';
import { Field, type FieldOptions } from '../../../platform/openapi/field.js';
import { isLongerThan } from '../../../platform/basics/text.js';
import { MAX_NAME_CHARACTERS } from '../variables/placeholders.js';
import {
  MAX_DEFAULT_CHARACTERS,
  MAX_VARIABLE_DESCRIPTION_CHARACTERS,
  MAX_VARIABLES,
  variablesProblems,
} from '../variables/variables.js';

const MAX_TEMPLATE_NAME_CHARACTERS = 200;
const MAX_DESCRIPTION_CHARACTERS = 2_000;

export const CONTENT_EXAMPLE = '# {{topic}}\n\nDate: {{date}}\n\nPresent: {{participants}}\n';
export const TITLE_EXAMPLE = '{{topic}}: notes of {{date}}';

/** Returns the problem of a name. */
export function templateNameProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (isBlank(value)) return 'must not be blank';
  return tooLong(value, MAX_TEMPLATE_NAME_CHARACTERS);
}

/** Returns the problem of a description. */
export function descriptionProblem(value: unknown): string | undefined {
  return typeof value === 'string'
    ? tooLong(value, MAX_DESCRIPTION_CHARACTERS)
    : 'must be a string';
}

export const NameField = (options: FieldOptions = {}) =>
  Field.text({
    min: 1,
    max: MAX_TEMPLATE_NAME_CHARACTERS,
    title: 'TemplateName',
    description: 'Must not be blank. Need not be unique.',
    example: 'Meeting notes',
    check: templateNameProblem,
    ...options,
  });

export const DescriptionField = (options: FieldOptions = {}) =>
  Field.text({
    nullable: true,
    max: MAX_DESCRIPTION_CHARACTERS,
    title: 'TemplateDescription',
    description: 'What it is for.',
    example: 'For meetings of the team',
    check: descriptionProblem,
    ...options,
  });

/** Some tools do not support Unicode classes in patterns, so this rule is simpler. The description has the exact one. */
export const VARIABLE_NAME = { maxLength: MAX_NAME_CHARACTERS, pattern: '^[^\\s{}]+$' };

export const VariableNameField = () =>
  Field.text({
    min: 1,
    max: VARIABLE_NAME.maxLength,
    pattern: VARIABLE_NAME.pattern,
    description: 'A letter of any script or `_`, then letters, digits, `_`, `-` and `.`.',
    example: 'topic',
  });

export const DefaultField = (options: FieldOptions = {}) =>
  Field.text({
    nullable: true,
    max: MAX_DEFAULT_CHARACTERS,
    description: 'Fills the variable when nothing is given.',
    example: null,
    ...options,
  });

export const VariableDescriptionField = (options: FieldOptions = {}) =>
  Field.text({
    nullable: true,
    max: MAX_VARIABLE_DESCRIPTION_CHARACTERS,
    description: 'What to fill in, for people.',
    example: 'What the meeting was about',
    ...options,
  });

/** The variables of a template, as objects of a DTO class. */
export const VariablesField = (type: new () => object, options: FieldOptions = {}) =>
  Field.list(type, {
    max: MAX_VARIABLES,
    description: 'The variables of the template. Undeclared variables are optional.',
    check: variablesProblems,
    ...options,
  });

function tooLong(value: string, most: number): string | undefined {
  return isLongerThan(value, most)
    ? `must not be longer than ${String(most)} characters`
    : undefined;
}
