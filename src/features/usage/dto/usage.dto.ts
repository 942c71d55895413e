import { Field } from '../../../platform/openapi/field.js';
import { PLANS, type Plan, type Window } from '../../access/auth/plan.js';
import { PLAN_QUOTAS, type Quota, type QuotaUsage, type WindowUsage } from '../plan-quotas.js';

const MAX = Number.MAX_SAFE_INTEGER;

class QuotaUsageDto implements QuotaUsage {
  @Field.integer({
    max: MAX,
    nullable: true,
    description: 'The most the account may have; null is unlimited.',
    example: PLAN_QUOTAS.pro.documents,
  })
  limit: number | null;

  @Field.integer({ max: MAX, description: 'What it has.', example: 412 })
  used: number;

  @Field.integer({
    max: MAX,
    nullable: true,
    description: 'How much more it may have; null is unlimited. 0 also above the limit.',
    example: (PLAN_QUOTAS.pro.documents ?? 0) - 412,
  })
  remaining: number | null;
}

class DocumentQuotaUsageDto extends QuotaUsageDto {
  @Field.integer({
    max: MAX,
    description: 'How much of `used` is in the trash; deleting it for good makes room.',
    example: 12,
  })
  inTrash: number;
}

class QuotasDto implements Record<Quota, QuotaUsage> {
  @Field.object(DocumentQuotaUsageDto, { description: 'Documents. Templates do not count.' })
  documents: DocumentQuotaUsageDto;

  @Field.object(DocumentQuotaUsageDto, {
    description:
      'UTF-8 bytes of title, content, metadata and aiSettings of all documents. Old versions and templates do not count.',
  })
  storageBytes: DocumentQuotaUsageDto;

  @Field.object(QuotaUsageDto, { description: 'Registered webhooks, disabled ones too.' })
  webhooks: QuotaUsageDto;

  @Field.object(QuotaUsageDto, {
    description: 'API keys in force. One that a rotation has replaced does not count.',
  })
  keys: QuotaUsageDto;

  @Field.object(QuotaUsageDto, {
    description: 'Users who belong to the account, and open invitations.',
  })
  members: QuotaUsageDto;

  @Field.object(QuotaUsageDto, {
    description:
      'New analyses and enhancements today, in UTC. A stored analysis that is answered again does not count.',
  })
  analysesPerDay: QuotaUsageDto;

  @Field.object(QuotaUsageDto, { description: 'Tokens of a model today, in UTC.' })
  modelTokensPerDay: QuotaUsageDto;
}

class WindowUsageDto implements WindowUsage {
  @Field.integer({
    max: MAX,
    nullable: true,
    description: 'Requests a window; null is unlimited.',
    example: 300,
  })
  limit: number | null;

  @Field.integer({
    max: MAX,
    nullable: true,
    description:
      'Requests with API keys in the running window, this one included if a key asks; null where nothing is counted, because no window of the account is limited.',
    example: 2,
  })
  used: number | null;

  @Field.integer({ max: MAX, nullable: true, description: 'Null is unlimited.', example: 298 })
  remaining: number | null;

  @Field.time({ nullable: true, description: 'When the window ends.' }) resetAt: string | null;
}

class WindowsDto implements Record<Window, WindowUsage> {
  @Field.object(WindowUsageDto) minute: WindowUsageDto;
  @Field.object(WindowUsageDto) hour: WindowUsageDto;
  @Field.object(WindowUsageDto) day: WindowUsageDto;
}

/** What an account has, and what it may. */
export class UsageDto {
  @Field.oneOf(PLANS, { example: 'pro' }) plan: Plan;
  @Field.object(QuotasDto) quotas: QuotasDto;
  @Field.object(WindowsDto) rateLimits: WindowsDto;
}
