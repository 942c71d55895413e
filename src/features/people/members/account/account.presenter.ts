import { PLANS } from '../../../auth/plan.js';
import { presentPerson } from '../../../auth/person.js';
import type { PersonPrincipal, Principal } from '../../../auth/principal.js';
import { presentKey } from '../../../keys/key.presenter.js';
import type { KeyRecord } from '../../../keys/keys.repository.js';
import type { MeDto } from '../dto/member.dto.js';
import { customLimitsOf } from '../../../auth/accounts/account.js';
import type { AccountEntity } from '../../../auth/entities/account.entity.js';
import type { Config } from '../../../../platform/config/config.js';
import { TRASH_DAYS } from '../../../content/trash-days.js';
import { encodeId } from '../../../../platform/basics/identifiers/identifiers.js';
import { JOB_DAYS } from '../../../jobs/job.js';
import { limitsOf } from '../../../rate-limit/plan-limits.js';
import { PLAN_QUOTAS } from '../../../usage/quotas/plan-quotas.js';
import type { AccountDetailsDto, AccountDto, RetentionDto } from '../dto/account.dto.js';

/** The settings for retention periods. */
type RetentionConfig = Pick<Config, 'eventRetentionDays' | 'requestLogDays'>;

/** Returns the public fields of an account. */
export function presentAccount(account: AccountEntity, config: RetentionConfig) {
  return {
    id: encodeId('account', account.id),
    name: account.name,
    plan: account.plan,
    windows: limitsOf(account.plan, customLimitsOf(account)),
    quotas: PLAN_QUOTAS[account.plan],
    retention: retentionOf(config),
    connectedApps: account.connectedApps,
    createdAt: account.createdAt.toISOString(),
  } satisfies AccountDetailsDto;
}

/** Presents an account to one of its members, with the limits of all plans. */
export function presentOwnAccount(
  account: AccountEntity,
  { role }: PersonPrincipal,
  config: RetentionConfig,
): AccountDto {
  const { id, name, plan, createdAt, retention } = presentAccount(account, config);
  const plans = PLANS.map((one) => ({
    plan: one,
    windows: limitsOf(one, null),
    quotas: PLAN_QUOTAS[one],
  }));
  return { id, name, plan, role, createdAt, retention, plans };
}

/** Presents the caller. `key` is null for a person. */
export function presentMe(
  principal: Principal,
  { name }: AccountEntity,
  key: KeyRecord | null,
): MeDto {
  const { accountId, user, scopes, plan, customLimits } = principal;
  const windows = limitsOf(plan, customLimits);
  return {
    kind: key ? 'key' : 'person',
    key: key && presentKey(key),
    user: presentPerson(user),
    role: principal.kind === 'person' ? principal.role : null,
    scopes,
    account: { id: encodeId('account', accountId), name, plan, windows },
  };
}

function retentionOf({
  eventRetentionDays: events,
  requestLogDays: requests,
}: RetentionConfig): RetentionDto {
  return { events, deliveries: events, trash: TRASH_DAYS, jobs: JOB_DAYS, requests, audit: null };
}
