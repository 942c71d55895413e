import { Field, type FieldOptions, AcceptsFields } from '../../../platform/openapi/field.js';
import { PROVIDERS, type ProviderName } from '../providers/analysis-provider.js';

const DropField = (options: FieldOptions) =>
  Field.number({ max: 100, nullable: true, example: 10, ...options });

/** How the texts of an account are looked at. */
export class AccountSettingsDto {
  @Field.oneOf(PROVIDERS, {
    description:
      '`offline`: rules and dictionaries on this machine. `model`: beside them the language model of the operator, to whose server texts are sent.',
    example: 'offline',
  })
  provider: ProviderName;

  @DropField({
    description:
      'A fall of the overall score by more than so many points emits `document.quality_dropped`; null never does.',
  })
  qualityDrop: number | null;

  @Field.text({
    nullable: true,
    max: 200,
    description: 'The model that the operator configured; null when there is none.',
    example: 'gpt-4.1-mini',
  })
  model: string | null;

  @Field.time({ nullable: true, description: 'Null when nothing was ever changed.' })
  updatedAt: string | null;
}

/** The body of `PATCH /v1/analysis-settings`: a JSON Merge Patch (RFC 7396). */
@AcceptsFields(['model', 'updatedAt'])
export class PatchAccountSettingsDto {
  @Field.oneOf(PROVIDERS, {
    optional: true,
    description: '`model` is refused when the operator configured none.',
    example: 'offline',
  })
  provider?: ProviderName;

  @DropField({ optional: true, description: 'In points of the overall score; null for never.' })
  qualityDrop?: number | null;
}
