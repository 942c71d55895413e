import { Field } from '../../../../platform/openapi/field.js';
import { type ResponseObject } from '@nestjs/swagger';
import {
  EXPORT_FORMATS,
  MEDIA_TYPES,
  type ExportFormat,
} from '@document-service/conversion/formats';

/** The query of `GET /v1/documents/{id}/export`. */
export class ExportDocumentDto {
  @Field.oneOf(EXPORT_FORMATS, {
    description:
      '`md`: Markdown with title, type and metadata as front matter; importing it gives the same again, byte for byte. `html`: a page that stands by itself. `docx`, `pdf`: for word processors and for print.',
    example: 'md',
  })
  format: ExportFormat;
}

const EXAMPLES: Readonly<Record<ExportFormat, string>> = {
  md: '---\ntitle: "Quarterly report"\ntype: report\nmetadata: {"tags":["finance"]}\n---\n# Results\n',
  html: '<!DOCTYPE html>…',
  docx: 'PK…',
  pdf: '%PDF-1.3…',
};

/** The answers of an export by media type, for the API document. */
export const EXPORTED_FILES: NonNullable<ResponseObject['content']> = Object.fromEntries(
  EXPORT_FORMATS.map((format) => [
    MEDIA_TYPES[format].split(';')[0] ?? '',
    {
      schema: { type: 'string', format: 'binary' },
      example: EXAMPLES[format],
    },
  ]),
);
