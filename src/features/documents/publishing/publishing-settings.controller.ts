import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  CurrentContext,
  CurrentPrincipal,
  OrRole,
  RequireScope,
} from '../../auth/auth.decorators.js';
import { Reach } from '../../auth/access/reach.decorators.js';
import type { Principal } from '../../auth/principal.js';
import type { RequestContext } from '../../auth/request-context.js';
import { PublishingDto, PutPublishingDto } from './dto/publishing.dto.js';
import { PublishingSettingsService } from './publishing-settings.service.js';

@ApiTags('publishing')
@Controller('publishing')
export class PublishingSettingsController {
  constructor(private readonly settings: PublishingSettingsService) {}

  @Get()
  @RequireScope('documents:read')
  @Reach('account')
  @ApiOperation({ operationId: 'readPublishing', summary: 'Read the publishing settings' })
  @ApiOkResponse({ type: PublishingDto, description: 'The settings of the account.' })
  async read(@CurrentPrincipal() { accountId }: Principal): Promise<PublishingDto> {
    return this.settings.read(accountId);
  }

  @Put()
  @RequireScope('*')
  // Admins do not have that scope.
  @OrRole('admin')
  @Reach('account')
  @ApiOperation({
    operationId: 'putPublishing',
    summary: 'Change the publishing settings',
    description:
      'Once publishing is on, documents with the status `published` get their current version as published version, without events. When it is turned off, published versions are removed and statuses stay. Until that is done, `settled` is false. Owners and admins can change the settings. Writes an audit log entry.',
  })
  @ApiBody({ type: PutPublishingDto })
  @ApiOkResponse({ type: PublishingDto, description: 'The updated settings.' })
  async change(
    @CurrentContext() context: RequestContext,
    @Body() body: PutPublishingDto,
  ): Promise<PublishingDto> {
    return this.settings.change(body, context);
  }
}
