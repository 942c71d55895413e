import { Field, type Check } from '../../../platform/openapi/field.js';
import { textSchema } from '../../../platform/openapi/schemas.js';
import { PickType } from '@nestjs/swagger';
import { MAX_CONTENT_BYTES } from '../../content/text-fields.js';
import { inputProblems } from '../template-inputs.js';
import { MAX_VARIABLES } from '../variables.js';
import { TemplateDto } from './template.dto.js';
import { VARIABLE_NAME } from './template-texts.js';

const { pattern, maxLength } = VARIABLE_NAME;

/** The value of each variable, by its name. */
export const InputsField = (check: Check = inputProblems) =>
  Field.object(
    {
      maxProperties: MAX_VARIABLES,
      additionalProperties: {
        oneOf: [textSchema(MAX_CONTENT_BYTES), { type: 'number' }, { type: 'boolean' }],
        nullable: true,
      },
    },
    {
      optional: true,
      nullable: true,
      description:
        'A value for each variable of the template, put in as it is. A number, true and false are the text they are sent as; null is as if left out.',
      example: { client: 'Ada Lovelace' },
      check,
    },
  );

/** The body of `POST /v1/templates/{id}/preview`. */
export class PreviewTemplateDto {
  @InputsField()
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
  @Field.list(
    { type: 'string', pattern, maxLength },
    {
      max: MAX_VARIABLES,
      description:
        'Required variables that are not filled; their places stay as they are. A document cannot be made without them.',
      example: [],
    },
  )
  missing: string[];
}
