import { Field } from '../../../../platform/openapi/field.js';
import { Filter } from '../../../../platform/openapi/filter.js';
import {
  IMPORT_FORMATS,
  type ImportFormat,
  EXPORT_FORMATS,
  MEDIA_TYPES,
  type ExportFormat,
} from '@document-service/conversion/formats';
import { DOCUMENT_TYPES, type DocumentType } from '../../../content/document-type.js';
import {
  MAX_CONTENT_BYTES,
  MAX_EXTERNAL_ID_CHARACTERS,
  MAX_TITLE_CHARACTERS,
} from '../../../content/text-fields.js';
import type { ResponseObject } from '@nestjs/swagger';

/** The form of `POST /v1/documents/import`, for the API document only. Its fields are validated like those of a new document. */
export class ImportDocumentDto {
  @Field.schema(
    { type: 'string', format: 'binary' },
    {
      description: 'A Markdown or HTML file in UTF-8 or UTF-16, or a DOCX file.',
    },
  )
  file: string;

  @Field.text({
    optional: true,
    min: 1,
    max: MAX_TITLE_CHARACTERS,
    description:
      'Default: the title in the file (front matter, `<title>` or properties), its first heading, or its name.',
    example: 'Quarterly report',
  })
  title?: string;

  @Field.oneOf(DOCUMENT_TYPES, {
    optional: true,
    description: 'Default: the type in the front matter, or `document`.',
    example: 'report',
  })
  type?: DocumentType;

  @Field.text({
    optional: true,
    min: 1,
    max: MAX_EXTERNAL_ID_CHARACTERS,
    description: 'Your own ID for the document, unique in the account.',
    example: 'crm/4711',
  })
  externalId?: string;

  @Field.id('collection', {
    optional: true,
    description: 'The collection that contains it. Default: the root.',
  })
  collectionId?: string;

  @Field.oneOf(IMPORT_FORMATS, {
    optional: true,
    description: 'Default: determined by the file extension or the media type of the part.',
    example: 'md',
  })
  format?: ImportFormat;
}

/** The query of `POST /v1/documents/import`. */
export class ImportOptionsDto {
  @Filter.flag({
    default: false,
    description: 'Converts the file and stores nothing.',
    example: false,
  })
  dryRun = false;
}

/** A file that was converted but not stored. */
export class ConvertedFileDto {
  @Field.text({
    max: MAX_TITLE_CHARACTERS,
    description: 'The title that the document would have.',
    example: 'Quarterly report',
  })
  title: string;

  @Field.text({ max: MAX_CONTENT_BYTES, description: 'Markdown.', example: '# Results\n' })
  content: string;
}

/** The query of `GET /v1/documents/{id}/export`. */
export class ExportDocumentDto {
  @Field.oneOf(EXPORT_FORMATS, {
    description:
      '`md`: Markdown with title, type and metadata in front matter; importing it recreates them byte for byte. `html`: a self-contained page. `docx` and `pdf`: for word processors and for printing.',
    example: 'md',
  })
  format: ExportFormat;

  @Field.constant('published', {
    optional: true,
    description:
      'Exports the published version. Keys that only have the scope `documents:read_published` always get it.',
  })
  version?: 'published';
}

const EXAMPLES: Readonly<Record<ExportFormat, string>> = {
  md: '---\ntitle: "Quarterly report"\ntype: report\nmetadata: {"tags":["finance"]}\n---\n# Results\n',
  html: '<!DOCTYPE html>…',
  docx: 'PK…',
  pdf: '%PDF-1.3…',
};

/** The responses of an export by media type, for the API document. */
export const EXPORTED_FILES: NonNullable<ResponseObject['content']> = Object.fromEntries(
  EXPORT_FORMATS.map((format) => [
    MEDIA_TYPES[format].split(';')[0] ?? '',
    {
      schema: { type: 'string', format: 'binary' },
      example: EXAMPLES[format],
    },
  ]),
);
