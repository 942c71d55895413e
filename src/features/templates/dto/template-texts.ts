import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { HasNoProblem } from '../../content/text-fields.js';
import { isLongerThan } from '../../../platform/http/envelope/text-length.js';
import { ApiText, KEPT_TEXT } from '../../../platform/openapi/property-decorators.js';
import { MAX_NAME_CHARACTERS } from '../variables/placeholders.js';
import {
  MAX_DEFAULT_CHARACTERS,
  MAX_VARIABLE_DESCRIPTION_CHARACTERS,
  MAX_VARIABLES,
} from '../variables/variables.js';

export const MAX_TEMPLATE_NAME_CHARACTERS = 200;
export const MAX_DESCRIPTION_CHARACTERS = 2_000;

export const CONTENT_EXAMPLE = '# {{topic}}\n\nDate: {{date}}\n\nPresent: {{participants}}\n';
export const TITLE_EXAMPLE = '{{topic}}: notes of {{date}}';

/** A name: 1–200 characters, not only white space. */
export const IsTemplateName = () => HasNoProblem('isTemplateName', templateNameProblem);

/** A description: at most 2,000 characters. */
export const IsDescription = () => HasNoProblem('isDescription', descriptionProblem);

/** What is wrong with a name. */
export function templateNameProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (value.trim() === '') return 'must not be empty or only white space';
  return tooLong(value, MAX_TEMPLATE_NAME_CHARACTERS);
}

/** What is wrong with a description. */
export function descriptionProblem(value: unknown): string | undefined {
  return typeof value === 'string'
    ? tooLong(value, MAX_DESCRIPTION_CHARACTERS)
    : 'must be a string';
}

export const ApiTemplateName = (options: Partial<ApiPropertyOptions> = {}) =>
  ApiText({
    minLength: 1,
    maxLength: MAX_TEMPLATE_NAME_CHARACTERS,
    title: 'TemplateName',
    description: 'Must not be blank. Need not be unique.',
    example: 'Meeting notes',
    ...options,
  } as ApiPropertyOptions & { maxLength: number });

export const ApiDescription = (options: Partial<ApiPropertyOptions> = {}) =>
  ApiText({
    nullable: true,
    maxLength: MAX_DESCRIPTION_CHARACTERS,
    title: 'TemplateDescription',
    description: 'What it is for.',
    example: 'For meetings of the team',
    ...options,
  } as ApiPropertyOptions & { maxLength: number });

export const VARIABLE_NAME = {
  minLength: 1,
  maxLength: MAX_NAME_CHARACTERS,
  // Many tools know no classes of Unicode in patterns; the description has the whole rule.
  pattern: '^[^\\s{}]+$',
  description: 'A letter of any script or `_`, then letters, digits, `_`, `-` and `.`.',
  example: 'topic',
};

export const DEFAULT_TEXT = {
  type: String,
  nullable: true,
  maxLength: MAX_DEFAULT_CHARACTERS,
  pattern: KEPT_TEXT,
  description: 'Fills the variable when nothing is given.',
  example: null,
} satisfies ApiPropertyOptions;

export const VARIABLE_DESCRIPTION = {
  type: String,
  nullable: true,
  maxLength: MAX_VARIABLE_DESCRIPTION_CHARACTERS,
  pattern: KEPT_TEXT,
  description: 'What to fill in, for people.',
  example: 'What the meeting was about',
} satisfies ApiPropertyOptions;

/** A list of variables, of the class that describes one. */
export const ApiVariables = (
  type: new () => object,
  options: { required: boolean; nullable?: boolean },
) =>
  ApiProperty({
    type: [type],
    maxItems: MAX_VARIABLES,
    description:
      'What can be filled in. A variable that is used and not declared here is optional.',
    ...options,
  });

function tooLong(value: string, most: number): string | undefined {
  return isLongerThan(value, most)
    ? `must not be longer than ${String(most)} characters`
    : undefined;
}
