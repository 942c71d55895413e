import { KeysService } from '../../../keys/keys.service.js';
import { MeDto } from '../dto/member.dto.js';
import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  AllowAnyScope,
  CurrentContext,
  CurrentPrincipal,
  RequireScope,
} from '../../../auth/auth.decorators.js';
import { Reach } from '../../../auth/access/reach.decorators.js';
import type { Principal } from '../../../auth/principal.js';
import type { RequestContext } from '../../../auth/request-context.js';
import { Config } from '../../../../platform/config/config.js';
import { presentAccount, presentMe } from './account.presenter.js';
import { AccountService } from './account.service.js';
import { AccountDetailsDto, PatchAccountDto } from '../dto/account.dto.js';

@ApiTags('account')
@Controller('account')
export class OwnAccountController {
  constructor(
    private readonly accounts: AccountService,
    private readonly config: Config,
  ) {}

  @Get()
  @RequireScope('usage:read')
  @Reach('account')
  @ApiOperation({
    operationId: 'readAccount',
    summary: 'Read the account',
    description:
      'Returns the plan with its limits, and the retention periods. For usage, see `GET /v1/usage`; for analysis and model settings, see `GET /v1/analysis-settings`.',
  })
  @ApiOkResponse({ type: AccountDetailsDto, description: 'The account.' })
  async read(@CurrentPrincipal() { accountId }: Principal): Promise<AccountDetailsDto> {
    return presentAccount(await this.accounts.read(accountId), this.config);
  }

  @Patch()
  @RequireScope('*')
  @Reach('account')
  @ApiOperation({
    operationId: 'patchAccount',
    summary: 'Change the account',
    description:
      'Takes a JSON Merge Patch (RFC 7396) of the name and of `connectedApps`; only the operator can change the plan. Needs a key with all scopes; in the dashboard, owners can do this. Writes an audit log entry. If nothing changes, nothing is written.',
  })
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiBody({ type: PatchAccountDto, required: false })
  @ApiOkResponse({ type: AccountDetailsDto, description: 'The updated account.' })
  async change(
    @CurrentContext() context: RequestContext,
    @Body() body: PatchAccountDto,
  ): Promise<AccountDetailsDto> {
    return presentAccount(await this.accounts.patch(body, context), this.config);
  }
}

@ApiTags('account')
@Controller('me')
export class MeController {
  constructor(
    private readonly accounts: AccountService,
    private readonly keys: KeysService,
  ) {}

  @Get()
  @AllowAnyScope()
  @Reach('none')
  @ApiOperation({
    operationId: 'readMe',
    summary: 'Read the caller',
    description:
      'Returns the key of this request with its scopes, expiry, addresses and creator, and the account with its plan and rate-limit windows. Counts as one request.',
  })
  @ApiOkResponse({ type: MeDto, description: 'The key or the person, and the account.' })
  async read(@CurrentPrincipal() principal: Principal): Promise<MeDto> {
    const own = this.keys.findOwn(principal);
    const [account, key] = await Promise.all([this.accounts.read(principal.accountId), own]);
    return presentMe(principal, account, key);
  }
}
