import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsIn, IsString, MaxLength } from 'class-validator';
import { IsContent, MAX_CONTENT_BYTES } from '../../content/text-fields.js';
import { IfSent, IsRequired } from '../../../platform/http/envelope/field-decorators.js';
import { ApiText } from '../../../platform/openapi/property-decorators.js';
import { CHECKS, type Check } from '@document-service/text-analysis/analysis';
import { TEXT_FORMATS, type TextFormat } from '@document-service/text-analysis/analysis-request';

export const MAX_NAME_CHARACTERS = 100;

/** The body of `POST /v1/documents/{id}/analyze`. */
export class AnalyzeDocumentDto {
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', enum: [...CHECKS] },
    minItems: 1,
    maxItems: CHECKS.length,
    description: 'What to look for; left out, everything.',
    example: ['spelling', 'grammar'],
  })
  @IfSent()
  @IsIn(CHECKS, { each: true, message: `must be one of ${CHECKS.join(', ')}` })
  @ArrayMaxSize(CHECKS.length, { message: `must have at most ${String(CHECKS.length)} items` })
  @ArrayNotEmpty({ message: 'must name at least one check; leave it out for all of them' })
  @IsArray({ message: 'must be an array' })
  checks?: Check[];

  @ApiText({
    required: false,
    maxLength: MAX_NAME_CHARACTERS,
    description:
      'A BCP-47 tag, the English name of a language, or `auto`. Left out, that of `aiSettings`, else `auto`: each paragraph has the language that is detected.',
    example: 'en-GB',
  })
  @IfSent()
  @MaxLength(MAX_NAME_CHARACTERS, { message: 'must not be longer than 100 characters' })
  @IsString({ message: 'must be a string' })
  language?: string;

  @ApiText({
    required: false,
    maxLength: MAX_NAME_CHARACTERS,
    description:
      '`low` tells errors, `medium` warnings too, `high` style too. Left out, that of `aiSettings`, else `medium`; so is any other text.',
    example: 'high',
  })
  @IfSent()
  @MaxLength(MAX_NAME_CHARACTERS, { message: 'must not be longer than 100 characters' })
  @IsString({ message: 'must be a string' })
  suggestionLevel?: string;
}

/** The body of `POST /v1/analyze`. */
export class AnalyzeTextDto extends AnalyzeDocumentDto {
  @ApiText({
    maxLength: MAX_CONTENT_BYTES,
    description: 'At most 1 MiB of UTF-8. It is not kept once it is analysed.',
    example: 'The results was definately better.',
  })
  @IsContent()
  @IsRequired()
  content: string;

  @ApiPropertyOptional({ enum: TEXT_FORMATS, default: 'markdown', example: 'markdown' })
  @IfSent()
  @IsIn(TEXT_FORMATS, { message: `must be one of ${TEXT_FORMATS.join(', ')}` })
  format?: TextFormat;
}
