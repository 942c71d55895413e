import { Field, type FieldOptions, AcceptsFields } from '../../../platform/openapi/field.js';
import { textSchema } from '../../../platform/openapi/schemas.js';
import { PROVIDERS, type ProviderName } from '../providers/analysis-provider.js';

const DropField = (options: FieldOptions) =>
  Field.number({ max: 100, nullable: true, example: 10, ...options });

/** Maximum number of rules that an account can switch off. */
const MAX_DISABLED_RULES = 1_000;

const RulesField = (options: FieldOptions) =>
  Field.list(textSchema(200), {
    max: MAX_DISABLED_RULES,
    example: ['grammar.less-fewer'],
    ...options,
  });

/** The analysis settings of an account. */
export class AccountSettingsDto {
  @Field.oneOf(PROVIDERS, {
    description:
      '`offline`: rules and dictionaries on this server. `model`: also the language model that the operator configured; texts are sent to its server.',
    example: 'offline',
  })
  provider: ProviderName;

  @DropField({
    description:
      'Emits `document.quality_dropped` if the overall score drops by more than this many points. Null: never.',
  })
  qualityDrop: number | null;

  @RulesField({ description: 'IDs of rules that report nothing.' })
  disabledRules: string[];

  @Field.text({
    nullable: true,
    max: 200,
    description: 'The model that the operator configured, or null.',
    example: 'gpt-4.1-mini',
  })
  model: string | null;

  @Field.time({ nullable: true, description: 'Null if the settings have never been changed.' })
  updatedAt: string | null;
}

/** The body of `PATCH /v1/analysis-settings`: a JSON Merge Patch (RFC 7396). */
@AcceptsFields(['model', 'updatedAt'])
export class PatchAccountSettingsDto {
  @Field.oneOf(PROVIDERS, {
    optional: true,
    description: '`model` requires a model that the operator configured.',
    example: 'offline',
  })
  provider?: ProviderName;

  @DropField({ optional: true, description: 'In points of the overall score. Null: never.' })
  qualityDrop?: number | null;

  @RulesField({
    optional: true,
    description: 'All rules that report nothing, by ID. `GET /v1/analysis-rules` lists the IDs.',
  })
  disabledRules?: string[];

  @RulesField({
    optional: true,
    description: 'Rules to switch off. Other rules keep their state.',
  })
  disableRules?: string[];

  @RulesField({
    optional: true,
    description: 'Rules to switch on again. Other rules keep their state.',
    example: ['passive.voice'],
  })
  enableRules?: string[];
}
