import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { PLANS, type Plan, type Window } from '../../access/auth/plan.js';
import { ApiTimestamp } from '../../../platform/openapi/property-decorators.js';
import { PLAN_QUOTAS, type Quota } from '../plan-quotas.js';
import type { QuotaUsage, WindowUsage } from '../quota-usage.js';

/** A whole number that 32 bits may be too few for, such as of bytes. */
const ApiCount = (options: ApiPropertyOptions) =>
  ApiProperty({
    type: 'integer',
    format: 'int64',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    ...options,
  });

class QuotaUsageDto implements QuotaUsage {
  @ApiCount({
    nullable: true,
    description: 'The most the account may have; null is unlimited.',
    example: PLAN_QUOTAS.pro.documents,
  })
  limit: number | null;

  @ApiCount({ description: 'What it has.', example: 412 })
  used: number;

  @ApiCount({
    nullable: true,
    description: 'How much more it may have; null is unlimited. 0 also above the limit.',
    example: (PLAN_QUOTAS.pro.documents ?? 0) - 412,
  })
  remaining: number | null;
}

class DocumentQuotaUsageDto extends QuotaUsageDto {
  @ApiCount({
    description: 'How much of `used` is in the trash; deleting it for good makes room.',
    example: 12,
  })
  inTrash: number;
}

class QuotasDto implements Record<Quota, QuotaUsage> {
  @ApiProperty({ type: DocumentQuotaUsageDto, description: 'Documents. Templates do not count.' })
  documents: DocumentQuotaUsageDto;

  @ApiProperty({
    type: DocumentQuotaUsageDto,
    description:
      'UTF-8 bytes of title, content, metadata and aiSettings of all documents. Old versions and templates do not count.',
  })
  storageBytes: DocumentQuotaUsageDto;

  @ApiProperty({ type: QuotaUsageDto, description: 'Registered webhooks, disabled ones too.' })
  webhooks: QuotaUsageDto;

  @ApiProperty({
    type: QuotaUsageDto,
    description: 'API keys in force. One that a rotation has replaced does not count.',
  })
  keys: QuotaUsageDto;

  @ApiProperty({
    type: QuotaUsageDto,
    description: 'Users who belong to the account, and open invitations.',
  })
  members: QuotaUsageDto;

  @ApiProperty({
    type: QuotaUsageDto,
    description:
      'New analyses and enhancements today, in UTC. A stored analysis that is answered again does not count.',
  })
  analysesPerDay: QuotaUsageDto;

  @ApiProperty({ type: QuotaUsageDto, description: 'Tokens of a model today, in UTC.' })
  modelTokensPerDay: QuotaUsageDto;
}

class WindowUsageDto implements WindowUsage {
  @ApiCount({
    nullable: true,
    description: 'Requests a window; null is unlimited.',
    example: 300,
  })
  limit: number | null;

  @ApiCount({
    nullable: true,
    description:
      'Requests with API keys in the running window, this one included if a key asks; null where nothing is counted, because no window of the account is limited.',
    example: 2,
  })
  used: number | null;

  @ApiCount({ nullable: true, description: 'Null is unlimited.', example: 298 })
  remaining: number | null;

  @ApiTimestamp({ nullable: true, description: 'When the window ends.' })
  resetAt: string | null;
}

class WindowsDto implements Record<Window, WindowUsage> {
  @ApiProperty({ type: WindowUsageDto })
  minute: WindowUsageDto;

  @ApiProperty({ type: WindowUsageDto })
  hour: WindowUsageDto;

  @ApiProperty({ type: WindowUsageDto })
  day: WindowUsageDto;
}

/** What an account has, and what it may. */
export class UsageDto {
  @ApiProperty({ enum: PLANS, example: 'pro' })
  plan: Plan;

  @ApiProperty({ type: QuotasDto })
  quotas: QuotasDto;

  @ApiProperty({ type: WindowsDto })
  rateLimits: WindowsDto;
}
