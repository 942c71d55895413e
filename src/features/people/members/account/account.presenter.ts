import { customLimitsOf } from '../../../access/auth/accounts/account.js';
import type { AccountEntity } from '../../../access/auth/entities/account.entity.js';
import type { Config } from '../../../../platform/config/config.js';
import { TRASH_DAYS } from '../../../content/trash-days.js';
import { encodeId } from '../../../../platform/basics/identifiers/identifiers.js';
import { JOB_DAYS } from '../../../jobs/job.js';
import { limitsOf } from '../../../access/rate-limit/plan-limits.js';
import { PLAN_QUOTAS } from '../../../usage/plan-quotas.js';
import type { AccountDetailsDto, RetentionDto } from '../dto/account.dto.js';

/** The settings that determine retention periods. */
export type RetentionConfig = Pick<Config, 'eventRetentionDays' | 'requestLogDays'>;

/** Returns the public fields of an account. */
export function presentAccount(account: AccountEntity, config: RetentionConfig) {
  return {
    id: encodeId('account', account.id),
    name: account.name,
    plan: account.plan,
    windows: limitsOf(account.plan, customLimitsOf(account)),
    quotas: PLAN_QUOTAS[account.plan],
    retention: retentionOf(config),
    createdAt: account.createdAt.toISOString(),
  } satisfies AccountDetailsDto;
}

function retentionOf({
  eventRetentionDays: events,
  requestLogDays: requests,
}: RetentionConfig): RetentionDto {
  return { events, deliveries: events, trash: TRASH_DAYS, jobs: JOB_DAYS, requests, audit: null };
}
