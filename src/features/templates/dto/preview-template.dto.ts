import {
  ApiProperty,
  ApiPropertyOptional,
  PickType,
  type ApiPropertyOptions,
} from '@nestjs/swagger';
import { CheckedBy } from '../../../platform/http/envelope/field-decorators.js';
import { MAX_CONTENT_BYTES } from '../../content/text-fields.js';
import { KEPT_TEXT } from '../../../platform/openapi/property-decorators.js';
import { inputProblems, MAX_VARIABLES } from '../variables/variables.js';
import { TemplateDto } from './template.dto.js';
import { VARIABLE_NAME } from './template-texts.js';

const { pattern, maxLength } = VARIABLE_NAME;

/** The schema of `templateVariables`. */
export const TEMPLATE_VARIABLES = {
  type: 'object',
  nullable: true,
  maxProperties: MAX_VARIABLES,
  additionalProperties: {
    oneOf: [
      { type: 'string', maxLength: MAX_CONTENT_BYTES, pattern: KEPT_TEXT },
      { type: 'number' },
      { type: 'boolean' },
    ],
    nullable: true,
  },
  description:
    'A value for each variable of the template, put in as it is. A number, true and false are the text they are sent as; null is as if left out.',
  example: { client: 'Ada Lovelace' },
} satisfies ApiPropertyOptions;

/** The body of `POST /v1/templates/{id}/preview`. */
export class PreviewTemplateDto {
  @ApiPropertyOptional(TEMPLATE_VARIABLES)
  @CheckedBy(inputProblems)
  templateVariables?: Record<string, unknown> | null;
}

/** What a document made from the template would begin with. */
export class TemplatePreviewDto extends PickType(TemplateDto, [
  'title',
  'type',
  'content',
  'metadata',
  'aiSettings',
]) {
  @ApiProperty({
    type: 'array',
    maxItems: MAX_VARIABLES,
    items: { type: 'string', pattern, maxLength },
    description:
      'Required variables that are not filled; their places stay as they are. A document cannot be made without them.',
    example: [],
  })
  missing: string[];
}
