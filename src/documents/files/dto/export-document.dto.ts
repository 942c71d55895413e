import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { EXPORT_FORMATS, type ExportFormat } from '../../../conversion/formats.js';
import { IsRequired } from '../../../envelope/field-decorators.js';

/** The query of `GET /v1/documents/{id}/export`. */
export class ExportDocumentDto {
  @ApiProperty({
    enum: EXPORT_FORMATS,
    description:
      '`md`: Markdown with title, type and metadata as front matter; importing it gives the same again, byte for byte. `html`: a page that stands by itself. `docx`, `pdf`: for word processors and for print.',
    example: 'md',
  })
  @IsIn(EXPORT_FORMATS, { message: `must be one of ${EXPORT_FORMATS.join(', ')}` })
  @IsRequired()
  format: ExportFormat;
}
