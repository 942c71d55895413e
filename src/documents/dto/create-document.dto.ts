import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow, IsIn, IsOptional, IsString, ValidateIf } from 'class-validator';
import { DOCUMENT_TYPES, type DocumentType } from '../document-type.js';
import { aiSettingsProblems, metadataProblems } from '../free-form.js';
import { IsContent, IsTitle } from './text-fields.js';

const sent = (_: object, value: unknown) => value !== undefined;

/** The body of `POST /v1/documents`. */
export class CreateDocumentDto {
  static readonly freeForm = { metadata: metadataProblems, aiSettings: aiSettingsProblems };

  @ApiProperty({ minLength: 1, maxLength: 500, example: 'Quarterly report' })
  @IsTitle()
  title: string;

  @ApiPropertyOptional({ enum: DOCUMENT_TYPES, default: 'document', example: 'report' })
  @ValidateIf((body: CreateDocumentDto) => sent(body, body.type))
  @IsIn(DOCUMENT_TYPES, { message: `must be one of ${DOCUMENT_TYPES.join(', ')}` })
  type?: DocumentType;

  @ApiPropertyOptional({
    maxLength: 1_048_576,
    description: 'At most 1 MiB of UTF-8. Line breaks are kept as sent.',
    example: '# Results\n\nRevenue grew by 12 %.',
  })
  @ValidateIf((body: CreateDocumentDto) => sent(body, body.content))
  @IsContent()
  content?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'Open object, returned exactly as sent. At most 16 KiB and 10 levels.',
    example: { tags: ['finance', 'q3'], department: 'Sales', project: 'Apollo' },
  })
  @Allow()
  metadata?: Record<string, unknown>;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'Open object, returned exactly as sent. At most 4 KiB and 10 levels.',
    example: { autoEnhance: false, suggestionLevel: 'moderate', language: 'en' },
  })
  @Allow()
  aiSettings?: Record<string, unknown>;

  @ApiPropertyOptional({ maxLength: 100, example: 'tmpl_01h455vb4pex5vsknk084sn02q' })
  @IsOptional()
  @IsString({ message: 'must be a string' })
  templateId?: string;
}
