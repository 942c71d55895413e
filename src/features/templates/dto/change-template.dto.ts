import { AiSettingsPatchField, MetadataPatchField } from '../../content/open-objects.js';
import { NameField, DescriptionField, VariablesField, TITLE_EXAMPLE } from './template-texts.js';
import {
  contentProblem,
  titleProblem,
  MAX_CONTENT_BYTES,
  MAX_TITLE_CHARACTERS,
} from '../../content/text-fields.js';
import { Field, AcceptsFields } from '../../../platform/openapi/field.js';
import { DOCUMENT_TYPES, type DocumentType } from '../../content/document-type.js';
import { fieldOf, SHOWN_FIELDS, type PatchableField } from '../template-fields.js';
import { CreateTemplateDto, DeclaredVariableDto } from './create-template.dto.js';

/** What answers carry and nobody can change. */
const READ_ONLY = SHOWN_FIELDS.filter((name) => fieldOf(name).patchable === false);

/** The body of `PATCH /v1/templates/{id}`: a JSON Merge Patch (RFC 7396). */
@AcceptsFields(READ_ONLY)
export class PatchTemplateDto implements Partial<Record<PatchableField, unknown>> {
  @NameField({ optional: true })
  name?: string;

  @DescriptionField({ optional: true })
  description?: string | null;

  @Field.oneOf(DOCUMENT_TYPES, {
    optional: true,
    nullable: true,
    description: 'Null makes it `document`.',
    example: 'report',
  })
  type?: DocumentType | null;

  @Field.text({
    optional: true,
    nullable: true,
    min: 1,
    max: MAX_TITLE_CHARACTERS,
    description: 'Null removes it.',
    example: TITLE_EXAMPLE,
    check: titleProblem,
  })
  title?: string | null;

  @Field.text({
    optional: true,
    nullable: true,
    max: MAX_CONTENT_BYTES,
    description: 'At most 1 MiB of UTF-8. Null empties it.',
    example: 'Dear {{client}},\n',
    check: contentProblem,
  })
  content?: string | null;

  @VariablesField(DeclaredVariableDto, { optional: true, nullable: true })
  variables?: DeclaredVariableDto[] | null;

  @MetadataPatchField()
  metadata?: Record<string, unknown> | null;

  @AiSettingsPatchField()
  aiSettings?: Record<string, unknown> | null;
}

/** The body of `PUT /v1/templates/{id}`: the whole template; what is left out is as in a new one. */
@AcceptsFields(READ_ONLY)
export class ReplaceTemplateDto extends CreateTemplateDto {}
