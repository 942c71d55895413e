import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AllowAnyScope, CurrentPrincipal } from '../../../access/auth/authentication.js';
import { presentPerson } from '../../../access/auth/person.js';
import type { Principal } from '../../../access/auth/principal.js';
import { encodeId } from '../../../../platform/basics/identifiers/identifiers.js';
import { presentKey } from '../../../keys/key.presenter.js';
import { KeysService } from '../../../keys/keys.service.js';
import { limitsOf } from '../../../access/rate-limit/plan-limits.js';
import { AccountService } from './account.service.js';
import { MeDto } from '../dto/member.dto.js';

/** Who asks. */
@ApiTags('account')
@Controller('me')
export class MeController {
  constructor(
    private readonly accounts: AccountService,
    private readonly keys: KeysService,
  ) {}

  @Get()
  @AllowAnyScope()
  @ApiOperation({
    operationId: 'readMe',
    summary: 'Read who asks',
    description:
      'The key of this request with its scopes, end and addresses, who made it, and its account with plan and windows of requests. Counts as one request, like every other with a key.',
  })
  @ApiOkResponse({ type: MeDto, description: 'The key or the person, and the account.' })
  async read(@CurrentPrincipal() principal: Principal): Promise<MeDto> {
    const { accountId, user, scopes, plan, customLimits } = principal;
    const [{ name }, key] = await Promise.all([
      this.accounts.read(accountId),
      principal.kind === 'key' ? this.keys.find(accountId, encodeId('key', principal.keyId)) : null,
    ]);
    return {
      kind: key ? 'key' : 'person',
      key: key && presentKey(key),
      user: presentPerson(user),
      role: principal.kind === 'person' ? principal.role : null,
      scopes,
      account: {
        id: encodeId('account', accountId),
        name,
        plan,
        windows: limitsOf(plan, customLimits),
      },
    };
  }
}
