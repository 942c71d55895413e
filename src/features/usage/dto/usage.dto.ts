import { Field } from '../../../platform/openapi/field.js';
import { PLANS, type Plan, type Window } from '../../auth/plan.js';
import {
  PLAN_QUOTAS,
  type Quota,
  type QuotaUsage,
  type WindowUsage,
} from '../quotas/plan-quotas.js';

const MAX = Number.MAX_SAFE_INTEGER;

class QuotaUsageDto implements QuotaUsage {
  @Field.integer({
    max: MAX,
    nullable: true,
    description: 'The limit of the account. Null is unlimited.',
    example: PLAN_QUOTAS.pro.documents,
  })
  limit: number | null;

  @Field.integer({ max: MAX, description: 'The current usage.', example: 412 })
  used: number;

  @Field.integer({
    max: MAX,
    nullable: true,
    description: 'The remaining amount. Null is unlimited. 0 if usage is at or above the limit.',
    example: (PLAN_QUOTAS.pro.documents ?? 0) - 412,
  })
  remaining: number | null;
}

class DocumentQuotaUsageDto extends QuotaUsageDto {
  @Field.integer({
    max: MAX,
    description: 'The part of `used` that is in the trash. Permanent deletion frees it.',
    example: 12,
  })
  inTrash: number;
}

class QuotasDto implements Record<Quota, QuotaUsage> {
  @Field.object(DocumentQuotaUsageDto, { description: 'Documents. Templates are not counted.' })
  documents: DocumentQuotaUsageDto;

  @Field.object(DocumentQuotaUsageDto, {
    description:
      'UTF-8 bytes of the title, content, metadata and aiSettings of all documents. Old versions and templates are not counted.',
  })
  storageBytes: DocumentQuotaUsageDto;

  @Field.object(QuotaUsageDto, { description: 'Registered webhooks, including disabled ones.' })
  webhooks: QuotaUsageDto;

  @Field.object(QuotaUsageDto, {
    description: 'Active API keys. Keys that a rotation has replaced are not counted.',
  })
  keys: QuotaUsageDto;

  @Field.object(QuotaUsageDto, {
    description: 'Members of the account, and pending invitations.',
  })
  members: QuotaUsageDto;

  @Field.object(QuotaUsageDto, {
    description:
      'New analyses and enhancements today, in UTC. Stored analyses that are returned again are not counted.',
  })
  analysesPerDay: QuotaUsageDto;

  @Field.object(QuotaUsageDto, { description: 'Model tokens today, in UTC.' })
  modelTokensPerDay: QuotaUsageDto;

  @Field.object(QuotaUsageDto, { description: 'Characters checked for editors today, in UTC.' })
  checkCharactersPerDay: QuotaUsageDto;
}

class WindowUsageDto implements WindowUsage {
  @Field.integer({
    max: MAX,
    nullable: true,
    description: 'Requests allowed per window. Null is unlimited.',
    example: 300,
  })
  limit: number | null;

  @Field.integer({
    max: MAX,
    nullable: true,
    description:
      'Requests with API keys in the current window, including this request if it uses a key. Null if no window of the account is limited: requests are then not counted.',
    example: 2,
  })
  used: number | null;

  @Field.integer({
    max: MAX,
    nullable: true,
    description: 'Requests left in the window. Null is unlimited.',
    example: 298,
  })
  remaining: number | null;

  @Field.time({ nullable: true, description: 'When the window ends.' }) resetAt: string | null;
}

class WindowsDto implements Record<Window, WindowUsage> {
  @Field.object(WindowUsageDto) minute: WindowUsageDto;
  @Field.object(WindowUsageDto) hour: WindowUsageDto;
  @Field.object(WindowUsageDto) day: WindowUsageDto;
}

/** The usage and the limits of an account. */
export class UsageDto {
  @Field.oneOf(PLANS, { example: 'pro' }) plan: Plan;
  @Field.object(QuotasDto) quotas: QuotasDto;
  @Field.object(WindowsDto) rateLimits: WindowsDto;
}
