import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentContext, CurrentPrincipal, RequireScope } from '../../auth/auth.decorators.js';
import { Reach } from '../../auth/access/reach.decorators.js';
import type { Principal } from '../../auth/principal.js';
import type { RequestContext } from '../../auth/request-context.js';
import { Config } from '../../../platform/config/config.js';
import { Refuses } from '../../../platform/openapi/route-decorators.js';
import { AccountSettingsService, type AccountSettings } from './account-settings.service.js';
import { AccountSettingsDto, PatchAccountSettingsDto } from '../dto/account-settings.dto.js';
import { SETTINGS } from '../analysis.refusals.js';

@ApiTags('analysis')
@Controller('analysis-settings')
export class AccountSettingsController {
  constructor(
    private readonly settings: AccountSettingsService,
    private readonly config: Config,
  ) {}

  @Get()
  @RequireScope('documents:analyze')
  @Reach('account')
  @ApiOperation({ operationId: 'readAnalysisSettings', summary: 'Read the analysis settings' })
  @ApiOkResponse({ type: AccountSettingsDto, description: 'The settings of the account.' })
  async read(@CurrentPrincipal() { accountId }: Principal): Promise<AccountSettingsDto> {
    return this.shown(await this.settings.find(accountId));
  }

  @Patch()
  @RequireScope('*')
  @Reach('account')
  @ApiOperation({
    operationId: 'patchAnalysisSettings',
    summary: 'Change the analysis settings',
    description:
      'Takes a JSON Merge Patch (RFC 7396). With `model`, texts are sent to the model server, so this needs all scopes. Analyses with other settings are not reused. Writes an audit log entry.',
  })
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiBody({ type: PatchAccountSettingsDto, required: false })
  @ApiOkResponse({ type: AccountSettingsDto, description: 'The updated settings.' })
  @Refuses(SETTINGS.change)
  async change(
    @CurrentContext() context: RequestContext,
    @Body() body: PatchAccountSettingsDto,
  ): Promise<AccountSettingsDto> {
    return this.shown(await this.settings.change(body, context));
  }

  private shown(settings: AccountSettings): AccountSettingsDto {
    const { provider, qualityDrop, disabledRules, updatedAt } = settings;
    return {
      provider,
      qualityDrop,
      disabledRules,
      model: this.config.model?.model ?? null,
      updatedAt: updatedAt?.toISOString() ?? null,
    };
  }
}
