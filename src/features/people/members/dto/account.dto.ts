import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, Matches, MaxLength } from 'class-validator';
import { PLANS, type Plan, type Window } from '../../../access/auth/plan.js';
import { ROLES, type Role } from '../../../access/auth/roles.js';
import {
  AcceptsFields,
  IfSent,
  IsRequired,
} from '../../../../platform/http/envelope/field-decorators.js';
import { ApiId, ApiText, ApiTimestamp } from '../../../../platform/openapi/property-decorators.js';
import type { Quota } from '../../../usage/plan-quotas.js';
import { FIRST_STEPS, type FirstStep } from '../account/first-steps.repository.js';

const MAX_NAME_CHARACTERS = 200;

/** A limit; null is unlimited. */
const ApiLimit = () =>
  ApiProperty({
    type: 'integer',
    format: 'int64',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    nullable: true,
    example: 300,
  });

class WindowLimitsDto implements Record<Window, number | null> {
  @ApiLimit()
  minute: number | null;

  @ApiLimit()
  hour: number | null;

  @ApiLimit()
  day: number | null;
}

class QuotaLimitsDto implements Record<Quota, number | null> {
  @ApiLimit()
  documents: number | null;

  @ApiLimit()
  storageBytes: number | null;

  @ApiLimit()
  webhooks: number | null;

  @ApiLimit()
  keys: number | null;

  @ApiLimit()
  members: number | null;

  @ApiLimit()
  analysesPerDay: number | null;

  @ApiLimit()
  modelTokensPerDay: number | null;
}

const DAYS = { type: 'integer', format: 'int32', minimum: 0, maximum: 2_147_483_647 } as const;

/** For how long things are kept, in days; null is for ever. */
export class RetentionDto {
  @ApiProperty({
    ...DAYS,
    description: 'Events, and what was delivered of them.',
    example: 30,
  })
  events: number;

  @ApiProperty({ ...DAYS, example: 30 })
  deliveries: number;

  @ApiProperty({ ...DAYS, description: 'Documents in the trash.', example: 30 })
  trash: number;

  @ApiProperty({ ...DAYS, description: 'Jobs that have ended.', example: 30 })
  jobs: number;

  @ApiProperty({
    ...DAYS,
    description: 'The log of requests; 0 where none is kept.',
    example: 7,
  })
  requests: number;

  @ApiProperty({ ...DAYS, nullable: true, description: 'The audit log.', example: null })
  audit: number | null;
}

/** What a plan allows; null is unlimited, and in windows of Enterprise what the operator sets for the account. */
export class PlanDto {
  @ApiProperty({ enum: PLANS, example: 'pro' })
  plan: Plan;

  @ApiProperty({ type: WindowLimitsDto, description: 'Requests a window.' })
  windows: WindowLimitsDto;

  @ApiProperty({ type: QuotaLimitsDto })
  quotas: QuotaLimitsDto;
}

/** An account, as its members see it. */
export class AccountDto {
  @ApiId('account')
  id: string;

  @ApiText({ maxLength: MAX_NAME_CHARACTERS, example: 'Analytical Engines Ltd' })
  name: string;

  @ApiProperty({ enum: PLANS, example: 'pro' })
  plan: Plan;

  @ApiProperty({ enum: ROLES, description: 'The role of who asks.', example: 'owner' })
  role: Role;

  @ApiTimestamp()
  createdAt: string;

  @ApiProperty({ type: RetentionDto })
  retention: RetentionDto;

  @ApiProperty({ type: PlanDto, isArray: true, description: 'All plans, the cheapest first.' })
  plans: PlanDto[];
}

/** An account, as its keys see it. */
export class AccountDetailsDto {
  @ApiId('account')
  id: string;

  @ApiText({ maxLength: MAX_NAME_CHARACTERS, example: 'Analytical Engines Ltd' })
  name: string;

  @ApiProperty({ enum: PLANS, example: 'pro' })
  plan: Plan;

  @ApiProperty({
    type: WindowLimitsDto,
    description:
      'Requests a window; null is unlimited. What is used of them tells `GET /v1/usage`.',
  })
  windows: WindowLimitsDto;

  @ApiProperty({
    type: QuotaLimitsDto,
    description: 'The most it may have; null is unlimited.',
  })
  quotas: QuotaLimitsDto;

  @ApiProperty({ type: RetentionDto, description: 'For how long things are kept, in days.' })
  retention: RetentionDto;

  @ApiTimestamp()
  createdAt: string;
}

/** The name of an account that somebody chose. */
const IsAccountName = () =>
  applyDecorators(
    IsString({ message: 'must be a string' }),
    Matches(/\S/, { message: 'must not be empty or only white space' }),
    Matches(/^\P{Cc}*$/u, { message: 'must be one line, without control characters' }),
    MaxLength(MAX_NAME_CHARACTERS, {
      message: `must not be longer than ${String(MAX_NAME_CHARACTERS)} characters`,
    }),
  );

/** The body of `PATCH /v1/account`: a JSON Merge Patch (RFC 7396). */
@AcceptsFields(['id', 'plan', 'windows', 'quotas', 'retention', 'createdAt'])
export class PatchAccountDto {
  @ApiText({
    required: false,
    minLength: 1,
    maxLength: MAX_NAME_CHARACTERS,
    example: 'Analytical Engines Ltd',
  })
  @IfSent()
  @IsAccountName()
  name?: string;
}

/** The body of `PATCH …/accounts/{accountId}`. */
export class RenameAccountDto {
  @ApiText({ minLength: 1, maxLength: MAX_NAME_CHARACTERS, example: 'Analytical Engines Ltd' })
  @IsAccountName()
  @IsRequired()
  name: string;
}

/** The body of `DELETE …/accounts/{accountId}`. */
export class DeleteAccountDto {
  @ApiText({
    maxLength: MAX_NAME_CHARACTERS,
    description: 'The name of the account, as it is written.',
    example: 'Analytical Engines Ltd',
  })
  @IsString({ message: 'must be the name of the account' })
  @IsRequired()
  name: string;
}

class FirstStepDto {
  @ApiProperty({ enum: FIRST_STEPS, example: 'create-key' })
  id: FirstStep;

  @ApiProperty({ example: true })
  done: boolean;
}

/** What newcomers do first, and how far they are. */
export class FirstStepsDto {
  @ApiTimestamp({ nullable: true, description: 'When somebody in the account put them aside.' })
  dismissedAt: string | null;

  @ApiProperty({ type: FirstStepDto, isArray: true })
  steps: FirstStepDto[];
}
