import { ApiPropertyOptional } from '@nestjs/swagger';
import { Allow, IsIn, IsString, IsOptional, registerDecorator, ValidateIf } from 'class-validator';
import { IfSent, IsRequired } from '../../envelope/field-presence.js';
import { ApiId, ApiText } from '../../openapi/property-decorators.js';
import { TEMPLATE_VARIABLES } from '../../templates/dto/preview-template.dto.js';
import { inputProblems } from '../../templates/template-inputs.js';
import { DOCUMENT_TYPES, type DocumentType } from '../document-type.js';
import { aiSettingsProblems, metadataProblems } from '../free-form.js';
import { AI_SETTINGS, METADATA } from './open-objects.js';
import { IsContent, IsTitle, MAX_CONTENT_BYTES, MAX_TITLE_CHARACTERS } from './text-fields.js';

/** Values without a template would be lost. */
const GoesWithTemplate = (): PropertyDecorator => (target, propertyName) => {
  registerDecorator({
    name: 'goesWithTemplate',
    target: target.constructor,
    propertyName: propertyName as string,
    validator: {
      validate: (value: unknown, validation) =>
        value == null || (validation?.object as CreateDocumentDto).templateId != null,
      defaultMessage: () =>
        'goes only with templateId; name the template, or leave the variables out',
    },
  });
};

/** The body of `POST /v1/documents`. */
export class CreateDocumentDto {
  static readonly checks = {
    metadata: metadataProblems,
    aiSettings: aiSettingsProblems,
    templateVariables: inputProblems,
  };

  @ApiText({
    required: false,
    minLength: 1,
    maxLength: MAX_TITLE_CHARACTERS,
    description:
      'Required, unless `templateId` names a template with a title. Kept as sent. Not only white space.',
    example: 'Quarterly report',
  })
  @ValidateIf(
    ({ templateId }: CreateDocumentDto, title) => title !== undefined || templateId == null,
  )
  @IsTitle()
  @IsRequired()
  title?: string;

  @ApiPropertyOptional({ enum: DOCUMENT_TYPES, default: 'document', example: 'report' })
  @IfSent()
  @IsIn(DOCUMENT_TYPES, { message: `must be one of ${DOCUMENT_TYPES.join(', ')}` })
  type?: DocumentType;

  @ApiText({
    required: false,
    maxLength: MAX_CONTENT_BYTES,
    description: 'At most 1 MiB of UTF-8. Line breaks are kept as sent.',
    example: '# Results\n\nRevenue grew by 12 %.',
  })
  @IfSent()
  @IsContent()
  content?: string;

  @ApiPropertyOptional(METADATA)
  @Allow()
  metadata?: Record<string, unknown>;

  @ApiPropertyOptional(AI_SETTINGS)
  @Allow()
  aiSettings?: Record<string, unknown>;

  @ApiId('template', {
    required: false,
    description: 'A template of this account: what this body leaves out comes from it.',
  })
  // Answers say null where there is none; sent back, it means none.
  @IsOptional()
  @IsString({ message: 'must be a string' })
  templateId?: string | null;

  @ApiPropertyOptional(TEMPLATE_VARIABLES)
  @GoesWithTemplate()
  templateVariables?: Record<string, unknown> | null;
}
