import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentContext, CurrentPrincipal, RequireScope } from '../access/auth/authentication.js';
import type { Principal } from '../access/auth/principal.js';
import type { RequestContext } from '../access/auth/request-context.js';
import { Config } from '../../platform/config/config.js';
import { Refuses } from '../../platform/openapi/route-decorators.js';
import { AccountSettingsService, type AccountSettings } from './account-settings.service.js';
import { AccountSettingsDto, PatchAccountSettingsDto } from './dto/account-settings.dto.js';
import { SETTINGS } from './analysis.refusals.js';

@ApiTags('analysis')
@Controller('analysis-settings')
export class AccountSettingsController {
  constructor(
    private readonly settings: AccountSettingsService,
    private readonly config: Config,
  ) {}

  @Get()
  @RequireScope('documents:analyze')
  @ApiOperation({ operationId: 'readAnalysisSettings', summary: 'Read the settings of analysis' })
  @ApiOkResponse({ type: AccountSettingsDto, description: 'The settings of the account.' })
  async read(@CurrentPrincipal() { accountId }: Principal): Promise<AccountSettingsDto> {
    return this.shown(await this.settings.find(accountId));
  }

  @Patch()
  @RequireScope('*')
  @ApiOperation({
    operationId: 'patchAnalysisSettings',
    summary: 'Change the settings of analysis',
    description:
      'A JSON Merge Patch (RFC 7396). With `model` every text that is analysed from then on is sent to the server of the model, so it takes a key with all scopes. Analyses by another provider are made anew. Leaves an audit entry.',
  })
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiBody({ type: PatchAccountSettingsDto, required: false })
  @ApiOkResponse({ type: AccountSettingsDto, description: 'The settings as they are now.' })
  @Refuses(SETTINGS.change)
  async change(
    @CurrentContext() context: RequestContext,
    @Body() body: PatchAccountSettingsDto,
  ): Promise<AccountSettingsDto> {
    return this.shown(await this.settings.change(body, context));
  }

  private shown({ provider, qualityDrop, updatedAt }: AccountSettings): AccountSettingsDto {
    const model = this.config.model?.model ?? null;
    return { provider, qualityDrop, model, updatedAt: updatedAt?.toISOString() ?? null };
  }
}
