import {
  NameField,
  DescriptionField,
  VariableNameField,
  DefaultField,
  VariableDescriptionField,
  VariablesField,
  CONTENT_EXAMPLE,
  TITLE_EXAMPLE,
} from './template-texts.js';
import {
  contentProblem,
  titleProblem,
  MAX_CONTENT_BYTES,
  MAX_TITLE_CHARACTERS,
} from '../../content/text-fields.js';
import { Field } from '../../../platform/openapi/field.js';
import { DOCUMENT_TYPES, type DocumentType } from '../../content/document-type.js';
import { AI_SETTINGS, METADATA } from '../../content/open-objects.js';
import { aiSettingsProblems, metadataProblems } from '../../content/free-form.js';
import type { PatchableField } from '../template-fields.js';
import { type DeclaredVariable } from '../variables.js';

/** A variable as it is declared. */
export class DeclaredVariableDto implements DeclaredVariable {
  @VariableNameField()
  name: string;

  @Field.flag({
    optional: true,
    default: false,
    description: 'Whether no document can be made without it.',
    example: true,
  })
  required?: boolean;

  @DefaultField({ optional: true })
  default?: string | null;

  @VariableDescriptionField({ optional: true })
  description?: string | null;
}

/** The body of `POST /v1/templates`. */
export class CreateTemplateDto implements Partial<Record<PatchableField, unknown>> {
  @NameField()
  name: string;

  @DescriptionField({ optional: true })
  description?: string | null;

  @Field.oneOf(DOCUMENT_TYPES, {
    optional: true,
    default: 'document',
    description: 'The type of the documents made from it.',
    example: 'report',
  })
  type?: DocumentType;

  @Field.text({
    optional: true,
    nullable: true,
    min: 1,
    max: MAX_TITLE_CHARACTERS,
    description:
      'The title of the documents made from it, with variables. Without one each document must bring its own.',
    example: TITLE_EXAMPLE,
    check: titleProblem,
  })
  title?: string | null;

  @Field.text({
    optional: true,
    max: MAX_CONTENT_BYTES,
    description: 'Text with variables such as `{{topic}}`. At most 1 MiB of UTF-8.',
    example: CONTENT_EXAMPLE,
    check: contentProblem,
  })
  content?: string;

  @VariablesField(DeclaredVariableDto, { optional: true })
  variables?: DeclaredVariableDto[];

  @Field.object(METADATA, {
    optional: true,
    example: { tags: ['meeting'], project: '{{project}}' },
    check: metadataProblems,
  })
  metadata?: Record<string, unknown>;

  @Field.object(AI_SETTINGS, { optional: true, check: aiSettingsProblems })
  aiSettings?: Record<string, unknown>;
}
