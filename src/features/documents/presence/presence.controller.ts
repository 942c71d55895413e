import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, RequireScope } from '../../auth/auth.decorators.js';
import type { Access } from '../../auth/access/access.js';
import { CurrentAccess, Reach } from '../../auth/access/reach.decorators.js';
import type { Principal } from '../../auth/principal.js';
import { Refuses } from '../../../platform/openapi/route-decorators.js';
import { PRESENCE } from '../documents.refusals.js';
import { HoldPresenceDto, LeftDocumentDto, PresenceDto } from './dto/presence.dto.js';
import { presentPresence } from './presence.presenter.js';
import { HOLD_S } from './presence.repository.js';
import { PresenceService } from './presence.service.js';

@ApiTags('documents')
@Controller('documents/:id/presence')
export class PresenceController {
  constructor(private readonly presence: PresenceService) {}

  @Get()
  @RequireScope('documents:read')
  @Reach('viewer')
  @ApiOperation({
    operationId: 'readPresence',
    summary: 'Read who is in a document',
    description:
      'To follow changes, open `GET /v1/events/stream?presenceOf=…`, which also counts as viewing.',
  })
  @ApiOkResponse({ type: PresenceDto, description: 'Who views and edits the document.' })
  async read(@CurrentAccess() access: Access, @Param('id') id: string): Promise<PresenceDto> {
    return presentPresence(id, await this.presence.list(access, id));
  }

  @Put()
  @RequireScope('documents:read')
  @Reach('viewer')
  @ApiOperation({
    operationId: 'holdPresence',
    summary: 'Be in a document',
    description: `Counts you as viewing or editing for ${String(HOLD_S)} seconds. Repeat it before they end. Nothing is locked or logged.`,
  })
  @ApiOkResponse({ type: PresenceDto, description: 'Who views and edits the document now.' })
  @Refuses(PRESENCE.hold)
  async hold(
    @CurrentAccess() access: Access,
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() { state }: HoldPresenceDto,
  ): Promise<PresenceDto> {
    return presentPresence(id, await this.presence.hold(access, id, principal, state));
  }

  @Delete()
  @RequireScope('documents:read')
  @Reach('viewer')
  @ApiOperation({
    operationId: 'leaveDocument',
    summary: 'Leave a document',
    description: 'Ends your presence. Open event streams still count as viewing.',
  })
  @ApiOkResponse({ type: LeftDocumentDto, description: 'You have left.' })
  async leave(
    @CurrentAccess() access: Access,
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
  ): Promise<LeftDocumentDto> {
    await this.presence.leave(access, id, principal);
    return { id, deleted: true };
  }
}
