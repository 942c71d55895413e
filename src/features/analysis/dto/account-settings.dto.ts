import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsNumber, IsOptional, Max, Min } from 'class-validator';
import { AcceptsFields, IfSent } from '../../../platform/http/envelope/field-decorators.js';
import { ApiText, ApiTimestamp } from '../../../platform/openapi/property-decorators.js';
import { PROVIDERS, type ProviderName } from '../providers/analysis-provider.js';

const DROP = {
  type: 'number' as const,
  format: 'double',
  minimum: 0,
  maximum: 100,
  nullable: true,
  example: 10,
};

/** How the texts of an account are looked at. */
export class AccountSettingsDto {
  @ApiProperty({
    enum: PROVIDERS,
    description:
      '`offline`: rules and dictionaries on this machine. `model`: beside them the language model of the operator, to whose server texts are sent.',
    example: 'offline',
  })
  provider: ProviderName;

  @ApiProperty({
    ...DROP,
    description:
      'A fall of the overall score by more than so many points emits `document.quality_dropped`; null never does.',
  })
  qualityDrop: number | null;

  @ApiText({
    nullable: true,
    maxLength: 200,
    description: 'The model that the operator configured; null when there is none.',
    example: 'gpt-4.1-mini',
  })
  model: string | null;

  @ApiTimestamp({ nullable: true, description: 'Null when nothing was ever changed.' })
  updatedAt: string | null;
}

/** The body of `PATCH /v1/analysis-settings`: a JSON Merge Patch (RFC 7396). */
@AcceptsFields(['model', 'updatedAt'])
export class PatchAccountSettingsDto {
  @ApiPropertyOptional({
    enum: PROVIDERS,
    description: '`model` is refused when the operator configured none.',
    example: 'offline',
  })
  @IfSent()
  @IsIn(PROVIDERS, { message: `must be ${PROVIDERS.join(' or ')}` })
  provider?: ProviderName;

  @ApiPropertyOptional({ ...DROP, description: 'In points of the overall score; null for never.' })
  @IsOptional()
  @Max(100, { message: 'must not be more than 100' })
  @Min(0, { message: 'must not be less than 0' })
  @IsNumber({}, { message: 'must be a number, or null' })
  qualityDrop?: number | null;
}
