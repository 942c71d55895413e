import {
  NameField,
  DescriptionField,
  VariableNameField,
  DefaultField,
  VariableDescriptionField,
  VariablesField,
  CONTENT_EXAMPLE,
  TITLE_EXAMPLE,
  VARIABLE_NAME,
} from './template-texts.js';
import {
  contentProblem,
  titleProblem,
  MAX_CONTENT_BYTES,
  MAX_TITLE_CHARACTERS,
} from '../../content/text-fields.js';
import { Field, AcceptsFields, type Check } from '../../../platform/openapi/field.js';
import { DOCUMENT_TYPES, type DocumentType } from '../../content/document-type.js';
import {
  AI_SETTINGS,
  METADATA,
  AiSettingsPatchField,
  MetadataPatchField,
  aiSettingsProblems,
  metadataProblems,
} from '../../content/open-objects.js';
import { type PatchableField, fieldOf, SHOWN_FIELDS } from '../template-fields.js';
import { type DeclaredVariable, MAX_VARIABLES, inputProblems } from '../variables/variables.js';
import { textSchema } from '../../../platform/openapi/schemas.js';
import { PickType } from '@nestjs/swagger';
import { TemplateDto } from './template.dto.js';

/** A variable in requests. */
class DeclaredVariableDto implements DeclaredVariable {
  @VariableNameField()
  name: string;

  @Field.flag({
    optional: true,
    default: false,
    description: 'True if documents cannot be created without a value.',
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
    description: 'The type of documents created from the template.',
    example: 'report',
  })
  type?: DocumentType;

  @Field.text({
    optional: true,
    nullable: true,
    min: 1,
    max: MAX_TITLE_CHARACTERS,
    description:
      'The title of new documents; it can contain variables. Without it, each document must supply its own.',
    example: TITLE_EXAMPLE,
    check: titleProblem,
  })
  title?: string | null;

  @Field.text({
    optional: true,
    max: MAX_CONTENT_BYTES,
    description: 'Text that can contain variables such as `{{topic}}`. At most 1 MiB of UTF-8.',
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

/** The read-only fields of responses. */
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
    description: 'Null resets it to `document`.',
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
    description: 'At most 1 MiB of UTF-8. Null clears it.',
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

/** The body of `PUT /v1/templates/{id}`: the whole template. Omitted fields are reset to their defaults. */
@AcceptsFields(READ_ONLY)
export class ReplaceTemplateDto extends CreateTemplateDto {}

const { pattern, maxLength } = VARIABLE_NAME;

/** The values of variables, by name. */
export const InputsField = (check: Check = inputProblems) =>
  Field.object(
    {
      maxProperties: MAX_VARIABLES,
      additionalProperties: {
        oneOf: [textSchema(MAX_CONTENT_BYTES), { type: 'number' }, { type: 'boolean' }],
        nullable: true,
      },
    },
    {
      optional: true,
      nullable: true,
      description:
        'Values of the variables of the template, inserted as they are; numbers and booleans as they were sent. Null counts as omitted.',
      example: { client: 'Ada Lovelace' },
      check,
    },
  );

/** The body of `POST /v1/templates/{id}/preview`. */
export class PreviewTemplateDto {
  @InputsField()
  templateVariables?: Record<string, unknown> | null;
}

/** The initial fields of a document created from the template. */
export class TemplatePreviewDto extends PickType(TemplateDto, [
  'title',
  'type',
  'content',
  'metadata',
  'aiSettings',
]) {
  @Field.list(
    { type: 'string', pattern, maxLength },
    {
      max: MAX_VARIABLES,
      description:
        'Required variables without a value. Their placeholders remain. A document cannot be created without these values.',
      example: [],
    },
  )
  missing: string[];
}

type Examples<Body> = Readonly<Record<string, { summary: string; value: Body }>>;

/** Example bodies of `POST /v1/templates` for the API document. */
export const CREATE_TEMPLATE_EXAMPLES: Examples<CreateTemplateDto> = {
  nameAndContent: {
    summary: 'Only a name and a text',
    value: { name: 'Greeting', content: 'Dear {{client}},\n' },
  },
  meetingNotes: {
    summary: 'Variables with a default, and metadata that uses one',
    value: {
      name: 'Meeting notes',
      description: 'For meetings of the team',
      type: 'document',
      title: '{{topic}}: notes of {{date}}',
      content: '# {{topic}}\n\nDate: {{date}}\n\nPresent: {{participants}}\n',
      variables: [
        { name: 'topic', required: true, description: 'What the meeting was about' },
        { name: 'date', required: true, description: 'Such as 2026-11-21' },
        { name: 'participants', default: 'everyone' },
        { name: 'project' },
      ],
      metadata: { tags: ['meeting'], project: '{{project}}' },
    },
  },
};

/** Example bodies of `POST /v1/templates/{id}/preview`. */
export const PREVIEW_TEMPLATE_EXAMPLES: Examples<PreviewTemplateDto> = {
  empty: { summary: 'Without values', value: {} },
  filled: {
    summary: 'Some variables',
    value: { templateVariables: { client: 'Ada Lovelace' } },
  },
};
