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
import { CurrentContext } from '../../../auth/auth.decorators.js';
import { Reach } from '../../../auth/access/reach.decorators.js';
import type { PersonPrincipal } from '../../../auth/principal.js';
import type { RequestContext } from '../../../auth/request-context.js';
import { CurrentPerson, RequireRole } from '../../../auth/guards/role.guard.js';
import { Config } from '../../../../platform/config/config.js';
import { presentOwnAccount } from './account.presenter.js';
import { AccountService } from './account.service.js';
import {
  AccountDto,
  DeleteAccountDto,
  FirstStepsDto,
  RenameAccountDto,
} from '../dto/account.dto.js';
import { FirstStepsRepository } from './first-steps.repository.js';

@ApiTags('account')
@Controller({ path: 'dashboard/api/accounts/:accountId', version: VERSION_NEUTRAL })
export class AccountController {
  constructor(
    private readonly accounts: AccountService,
    private readonly firstSteps: FirstStepsRepository,
    private readonly config: Config,
  ) {}

  @Get()
  @RequireRole('viewer')
  @Reach('account')
  @ApiOperation({ summary: 'Read the account', operationId: 'readAccountAsMember' })
  @ApiOkResponse({ type: AccountDto, description: 'The account.' })
  async read(@CurrentPerson() person: PersonPrincipal): Promise<AccountDto> {
    return presentOwnAccount(await this.accounts.read(person.accountId), person, this.config);
  }

  @Patch()
  @RequireRole('owner')
  @Reach('account')
  @ApiOperation({ summary: 'Rename the account', operationId: 'renameAccount' })
  @ApiOkResponse({ type: AccountDto, description: 'The account.' })
  async rename(
    @CurrentPerson() person: PersonPrincipal,
    @CurrentContext() context: RequestContext,
    @Body() { name }: RenameAccountDto,
  ): Promise<AccountDto> {
    return presentOwnAccount(await this.accounts.patch({ name }, context), person, this.config);
  }

  @Delete()
  @HttpCode(204)
  @RequireRole('owner')
  @Reach('account')
  @ApiOperation({
    summary: 'Delete the account',
    description:
      'Immediately deletes the account for all members, with its keys, webhooks, documents, files and events. Only the audit log remains, for the operator. You cannot undo this.',
  })
  @ApiNoContentResponse({ description: 'The account is deleted.' })
  async delete(
    @CurrentContext() context: RequestContext,
    @Body() { name }: DeleteAccountDto,
  ): Promise<void> {
    await this.accounts.delete(name, context);
  }

  @Get('first-steps')
  @RequireRole('viewer')
  @Reach('account')
  @ApiOperation({ summary: 'Read the first steps', operationId: 'readFirstSteps' })
  @ApiOkResponse({ type: FirstStepsDto, description: 'The steps, and which are done.' })
  async readFirstSteps(@CurrentPerson() { accountId }: PersonPrincipal): Promise<FirstStepsDto> {
    const { dismissedAt, steps } = await this.firstSteps.read(accountId);
    return { dismissedAt: dismissedAt?.toISOString() ?? null, steps };
  }

  @Post('first-steps/dismiss')
  @HttpCode(200)
  @RequireRole('member')
  @Reach('account')
  @ApiOperation({ summary: 'Dismiss the first steps', operationId: 'dismissFirstSteps' })
  @ApiOkResponse({ type: FirstStepsDto, description: 'They are dismissed for all members.' })
  async dismissFirstSteps(@CurrentPerson() person: PersonPrincipal): Promise<FirstStepsDto> {
    await this.accounts.dismissFirstSteps(person.accountId);
    return this.readFirstSteps(person);
  }
}
