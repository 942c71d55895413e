import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Patch,
  Post,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentContext } from '../../../access/auth/authentication.js';
import type { AccountEntity } from '../../../access/auth/entities/account.entity.js';
import { PLANS } from '../../../access/auth/plan.js';
import type { PersonPrincipal } from '../../../access/auth/principal.js';
import type { RequestContext } from '../../../access/auth/request-context.js';
import { CurrentPerson, RequireRole } from '../../../access/auth/guards/role.guard.js';
import { Config } from '../../../../platform/config/config.js';
import { WithBodyOfDelete } from '../../../../platform/http/bodies/json-body-reader.js';
import { limitsOf } from '../../../access/rate-limit/plan-limits.js';
import { PLAN_QUOTAS } from '../../../usage/plan-quotas.js';
import { presentAccount } from './account.presenter.js';
import { AccountService } from './account.service.js';
import {
  AccountDto,
  DeleteAccountDto,
  FirstStepsDto,
  RenameAccountDto,
} from '../dto/account.dto.js';
import { FirstSteps } from './first-steps.repository.js';

/** An account as a whole. */
@ApiTags('account')
@Controller({ path: 'dashboard/api/accounts/:accountId', version: VERSION_NEUTRAL })
export class AccountController {
  constructor(
    private readonly accounts: AccountService,
    private readonly firstSteps: FirstSteps,
    private readonly config: Config,
  ) {}

  @Get()
  @RequireRole('viewer')
  @ApiOperation({ summary: 'Read the account', operationId: 'readAccountAsMember' })
  @ApiOkResponse({ type: AccountDto, description: 'The account.' })
  async read(@CurrentPerson() person: PersonPrincipal): Promise<AccountDto> {
    return this.present(await this.accounts.read(person.accountId), person);
  }

  @Patch()
  @RequireRole('owner')
  @ApiOperation({ summary: 'Rename the account', operationId: 'renameAccount' })
  @ApiOkResponse({ type: AccountDto, description: 'The account.' })
  async rename(
    @CurrentPerson() person: PersonPrincipal,
    @CurrentContext() context: RequestContext,
    @Body() { name }: RenameAccountDto,
  ): Promise<AccountDto> {
    return this.present(await this.accounts.rename(name.trim(), context), person);
  }

  @Delete()
  @HttpCode(204)
  @RequireRole('owner')
  @WithBodyOfDelete()
  @ApiOperation({
    summary: 'Delete the account',
    description:
      'At once for everybody, with all people, keys, webhooks, documents, files and events. Only the audit log is kept, for the operator. There is no way back.',
  })
  @ApiNoContentResponse({ description: 'It is gone.' })
  async delete(
    @CurrentContext() context: RequestContext,
    @Body() { name }: DeleteAccountDto,
  ): Promise<void> {
    await this.accounts.delete(name, context);
  }

  @Get('first-steps')
  @RequireRole('viewer')
  @ApiOperation({ summary: 'Read the first steps', operationId: 'readFirstSteps' })
  @ApiOkResponse({ type: FirstStepsDto, description: 'By what there is.' })
  async readFirstSteps(@CurrentPerson() { accountId }: PersonPrincipal): Promise<FirstStepsDto> {
    const { dismissedAt, steps } = await this.firstSteps.read(accountId);
    return { dismissedAt: dismissedAt?.toISOString() ?? null, steps };
  }

  @Post('first-steps/dismiss')
  @HttpCode(200)
  @RequireRole('member')
  @ApiOperation({ summary: 'Put the first steps aside', operationId: 'dismissFirstSteps' })
  @ApiOkResponse({ type: FirstStepsDto, description: 'For everybody in the account.' })
  async dismissFirstSteps(@CurrentPerson() person: PersonPrincipal): Promise<FirstStepsDto> {
    await this.accounts.dismissFirstSteps(person.accountId);
    return this.readFirstSteps(person);
  }

  private present(account: AccountEntity, { role }: PersonPrincipal): AccountDto {
    const { id, name, plan, createdAt, retention } = presentAccount(account, this.config);
    return {
      ...{ id, name, plan, role, createdAt, retention },
      plans: PLANS.map((one) => ({
        plan: one,
        windows: limitsOf(one, null),
        quotas: PLAN_QUOTAS[one],
      })),
    };
  }
}
