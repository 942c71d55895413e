import { Field, type FieldOptions, AcceptsFields } from '../../../../platform/openapi/field.js';
import { CONNECTED_APPS, type ConnectedAppsSetting } from '../../../auth/connected-app.js';
import { PLANS, type Plan, type Window } from '../../../auth/plan.js';
import { ROLES, type Role } from '../../../auth/roles.js';
import type { Quota } from '../../../usage/quotas/plan-quotas.js';
import { FIRST_STEPS, type FirstStep } from '../account/first-steps.repository.js';

const MAX_NAME_CHARACTERS = 200;

/** A limit; null is unlimited. */
const LimitField = () =>
  Field.integer({ max: Number.MAX_SAFE_INTEGER, nullable: true, example: 300 });

class WindowLimitsDto implements Record<Window, number | null> {
  @LimitField()
  minute: number | null;

  @LimitField()
  hour: number | null;

  @LimitField()
  day: number | null;
}

class QuotaLimitsDto implements Record<Quota, number | null> {
  @LimitField()
  documents: number | null;

  @LimitField()
  storageBytes: number | null;

  @LimitField()
  webhooks: number | null;

  @LimitField()
  keys: number | null;

  @LimitField()
  members: number | null;

  @LimitField()
  analysesPerDay: number | null;

  @LimitField()
  modelTokensPerDay: number | null;

  @LimitField()
  checkCharactersPerDay: number | null;
}

/** Retention in days. Null is unlimited. */
export class RetentionDto {
  @Field.integer({
    description: 'Events and their deliveries.',
    example: 30,
  })
  events: number;

  @Field.integer({ example: 30 })
  deliveries: number;

  @Field.integer({ description: 'Documents in the trash.', example: 30 })
  trash: number;

  @Field.integer({ description: 'Finished jobs.', example: 30 })
  jobs: number;

  @Field.integer({
    description: 'The request log. 0 if requests are not stored.',
    example: 7,
  })
  requests: number;

  @Field.integer({ nullable: true, description: 'The audit log.', example: null })
  audit: number | null;
}

/** The limits of a plan. Null is unlimited. For Enterprise windows, the operator sets limits per account. */
class PlanDto {
  @Field.oneOf(PLANS, { example: 'pro' }) plan: Plan;
  @Field.object(WindowLimitsDto, { description: 'Requests per window.' }) windows: WindowLimitsDto;
  @Field.object(QuotaLimitsDto) quotas: QuotaLimitsDto;
}

/** An account for its members. */
export class AccountDto {
  @Field.id('account') id: string;
  @Field.text({ max: MAX_NAME_CHARACTERS, example: 'Analytical Engines Ltd' }) name: string;
  @Field.oneOf(PLANS, { example: 'pro' }) plan: Plan;
  @Field.oneOf(ROLES, { description: 'The role of the signed-in user.', example: 'owner' })
  role: Role;
  @Field.time() createdAt: string;
  @Field.object(RetentionDto) retention: RetentionDto;
  @Field.list(PlanDto, { description: 'All plans, cheapest first.' }) plans: PlanDto[];
}

const ConnectedAppsField = (options: FieldOptions = {}) =>
  Field.oneOf(CONNECTED_APPS, {
    description:
      'Who can connect apps with OAuth and use them: all members, owners and admins, or nobody. A change also applies to apps that are already connected.',
    example: 'everyone',
    ...options,
  });

/** An account for its API keys. */
export class AccountDetailsDto {
  @Field.id('account') id: string;
  @Field.text({ max: MAX_NAME_CHARACTERS, example: 'Analytical Engines Ltd' }) name: string;
  @Field.oneOf(PLANS, { example: 'pro' }) plan: Plan;

  @Field.object(WindowLimitsDto, {
    description:
      'Requests allowed per window. Null is unlimited. `GET /v1/usage` returns the requests used.',
  })
  windows: WindowLimitsDto;

  @Field.object(QuotaLimitsDto, { description: 'The quotas of the plan. Null is unlimited.' })
  quotas: QuotaLimitsDto;

  @Field.object(RetentionDto, { description: 'Retention in days.' })
  retention: RetentionDto;

  @ConnectedAppsField()
  connectedApps: ConnectedAppsSetting;

  @Field.time() createdAt: string;
}

const NameField = (options: FieldOptions = {}) =>
  Field.text({
    max: MAX_NAME_CHARACTERS,
    notBlank: true,
    oneLine: true,
    example: 'Analytical Engines Ltd',
    ...options,
  });

/** The body of `PATCH /v1/account`: a JSON Merge Patch (RFC 7396). */
@AcceptsFields(['id', 'plan', 'windows', 'quotas', 'retention', 'createdAt'])
export class PatchAccountDto {
  @NameField({ optional: true })
  name?: string;

  @ConnectedAppsField({ optional: true })
  connectedApps?: ConnectedAppsSetting;
}

/** The body of `PATCH …/accounts/{accountId}`. */
export class RenameAccountDto {
  @NameField()
  name: string;
}

/** The body of `DELETE …/accounts/{accountId}`. */
export class DeleteAccountDto {
  @Field.text({
    max: MAX_NAME_CHARACTERS,
    description: 'The exact name of the account.',
    example: 'Analytical Engines Ltd',
    issue: 'must be the name of the account',
  })
  name: string;
}

class FirstStepDto {
  @Field.oneOf(FIRST_STEPS, { example: 'create-key' }) id: FirstStep;
  @Field.flag({ example: true }) done: boolean;
}

/** The first steps in a new account, and which are done. */
export class FirstStepsDto {
  @Field.time({
    nullable: true,
    description: 'When a member dismissed the first steps. Null if they are shown.',
  })
  dismissedAt: string | null;

  @Field.list(FirstStepDto) steps: FirstStepDto[];
}
