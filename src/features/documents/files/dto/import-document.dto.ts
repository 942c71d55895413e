import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IMPORT_FORMATS, type ImportFormat } from '@document-service/conversion/formats';
import { ApiText } from '../../../../platform/openapi/property-decorators.js';
import { DOCUMENT_TYPES, type DocumentType } from '../../../content/document-type.js';
import { MAX_EXTERNAL_ID_CHARACTERS, MAX_TITLE_CHARACTERS } from '../../../content/text-fields.js';

/** The form of `POST /v1/documents/import`. It describes only; the fields are judged as those of a creation. */
export class ImportDocumentDto {
  @ApiProperty({
    type: 'string',
    format: 'binary',
    description: 'Markdown or HTML as text in UTF-8 or UTF-16, or a DOCX document.',
  })
  file: string;

  @ApiText({
    required: false,
    minLength: 1,
    maxLength: MAX_TITLE_CHARACTERS,
    description:
      'Else the one the file says itself (front matter, `<title>`, properties), its first heading, or its name.',
    example: 'Quarterly report',
  })
  title?: string;

  @ApiPropertyOptional({
    enum: DOCUMENT_TYPES,
    description: 'Else the one of the front matter, or `document`.',
    example: 'report',
  })
  type?: DocumentType;

  @ApiText({
    required: false,
    minLength: 1,
    maxLength: MAX_EXTERNAL_ID_CHARACTERS,
    description: 'Your own id of it, unique in the account.',
    example: 'crm/4711',
  })
  externalId?: string;

  @ApiPropertyOptional({
    enum: IMPORT_FORMATS,
    description: 'Else told from the extension of the file, or from the media type of its part.',
    example: 'md',
  })
  format?: ImportFormat;
}
