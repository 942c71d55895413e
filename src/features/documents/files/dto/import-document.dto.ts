import { Field } from '../../../../platform/openapi/field.js';
import { IMPORT_FORMATS, type ImportFormat } from '@document-service/conversion/formats';
import { DOCUMENT_TYPES, type DocumentType } from '../../../content/document-type.js';
import { MAX_EXTERNAL_ID_CHARACTERS, MAX_TITLE_CHARACTERS } from '../../../content/text-fields.js';

/** The form of `POST /v1/documents/import`. It describes only; the fields are judged as those of a creation. */
export class ImportDocumentDto {
  @Field.schema(
    { type: 'string', format: 'binary' },
    {
      description: 'Markdown or HTML as text in UTF-8 or UTF-16, or a DOCX document.',
    },
  )
  file: string;

  @Field.text({
    optional: true,
    min: 1,
    max: MAX_TITLE_CHARACTERS,
    description:
      'Else the one the file says itself (front matter, `<title>`, properties), its first heading, or its name.',
    example: 'Quarterly report',
  })
  title?: string;

  @Field.oneOf(DOCUMENT_TYPES, {
    optional: true,
    description: 'Else the one of the front matter, or `document`.',
    example: 'report',
  })
  type?: DocumentType;

  @Field.text({
    optional: true,
    min: 1,
    max: MAX_EXTERNAL_ID_CHARACTERS,
    description: 'Your own id of it, unique in the account.',
    example: 'crm/4711',
  })
  externalId?: string;

  @Field.oneOf(IMPORT_FORMATS, {
    optional: true,
    description: 'Else told from the extension of the file, or from the media type of its part.',
    example: 'md',
  })
  format?: ImportFormat;
}
