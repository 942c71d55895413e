import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, RequireScope } from '../access/auth/authentication.js';
import type { Principal } from '../access/auth/principal.js';
import { CurrentTake } from '../access/rate-limit/plan-rate-limit.guard.js';
import type { Take } from '../access/rate-limit/rate-limit-storage.js';
import { UsageDto } from './dto/usage.dto.js';
import { presentUsage } from './usage.presenter.js';
import { UsageService } from './usage.service.js';

@ApiTags('usage')
@Controller('usage')
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @Get()
  @RequireScope('usage:read')
  @ApiOperation({
    summary: 'Read the usage of the account',
    description:
      'What the account has beside what its plan allows, and its windows of requests. Counts as one request itself, like every other with a key.',
  })
  @ApiOkResponse({ type: UsageDto, description: 'Plan, quotas and windows of requests.' })
  async read(
    @CurrentPrincipal() principal: Principal,
    @CurrentTake() take: Take | undefined,
  ): Promise<UsageDto> {
    const [used, windows] = await Promise.all([
      this.usage.read(principal.accountId),
      take ?? this.usage.lookAtWindows(principal),
    ]);
    return presentUsage(principal, used, windows);
  }
}
