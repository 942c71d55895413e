import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  CurrentContext,
  CurrentPrincipal,
  RequireScope,
} from '../../../access/auth/authentication.js';
import type { Principal } from '../../../access/auth/principal.js';
import type { RequestContext } from '../../../access/auth/request-context.js';
import { Config } from '../../../../platform/config/config.js';
import { presentAccount } from './account.presenter.js';
import { AccountService } from './account.service.js';
import { AccountDetailsDto, PatchAccountDto } from '../dto/account.dto.js';

/** The account of the key that asks. */
@ApiTags('account')
@Controller('account')
export class OwnAccountController {
  constructor(
    private readonly accounts: AccountService,
    private readonly config: Config,
  ) {}

  @Get()
  @RequireScope('usage:read')
  @ApiOperation({
    operationId: 'readAccount',
    summary: 'Read the account',
    description:
      'Its plan with what that allows, and for how long things are kept. What is used of it is at `GET /v1/usage`, the settings of analysis and of models at `GET /v1/analysis-settings`.',
  })
  @ApiOkResponse({ type: AccountDetailsDto, description: 'The account.' })
  async read(@CurrentPrincipal() { accountId }: Principal): Promise<AccountDetailsDto> {
    return presentAccount(await this.accounts.read(accountId), this.config);
  }

  @Patch()
  @RequireScope('*')
  @ApiOperation({
    operationId: 'patchAccount',
    summary: 'Change the account',
    description:
      'A JSON Merge Patch (RFC 7396) of its name; the operator of the service changes its plan. For a key with all scopes, as for owners in the dashboard. Leaves an audit entry; when nothing changes, nothing is written.',
  })
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiBody({ type: PatchAccountDto, required: false })
  @ApiOkResponse({ type: AccountDetailsDto, description: 'The account as it is now.' })
  async change(
    @CurrentContext() context: RequestContext,
    @Body() { name }: PatchAccountDto,
  ): Promise<AccountDetailsDto> {
    const account =
      name === undefined
        ? await this.accounts.read(context.principal.accountId)
        : await this.accounts.rename(name.trim(), context);
    return presentAccount(account, this.config);
  }
}
