import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Post,
  Req,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { Request } from 'express';
import { CurrentContext } from '../../../auth/auth.decorators.js';
import { Reach } from '../../../auth/access/reach.decorators.js';
import type { PersonPrincipal } from '../../../auth/principal.js';
import type { RequestContext } from '../../../auth/request-context.js';
import { invitationResponse, linkResponse, presentInvitation } from '../member.presenter.js';
import { CurrentPerson, RequireRole } from '../../../auth/guards/role.guard.js';
import { ApiResponse } from '../../../../platform/http/envelope/api-response.js';
import { Refuses } from '../../../../platform/openapi/route-decorators.js';
import {
  InvitationDto,
  InvitationLinkDto,
  InviteDto,
  IssuedInvitationDto,
} from '../dto/member.dto.js';
import { InvitationMailService } from './invitation-mail.service.js';
import { InvitationsService } from './invitations.service.js';
import { INVITATIONS } from '../members.refusals.js';

@ApiTags('members')
@Controller({ path: 'dashboard/api/accounts/:accountId/invitations', version: VERSION_NEUTRAL })
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly mail: InvitationMailService,
  ) {}

  @Get()
  @RequireRole('admin')
  @Reach('account')
  @ApiOperation({ summary: 'List pending invitations' })
  @ApiOkResponse({ type: InvitationDto, isArray: true, description: 'Oldest first.' })
  async list(@CurrentPerson() { accountId }: PersonPrincipal): Promise<InvitationDto[]> {
    return (await this.invitations.list(accountId)).map(presentInvitation);
  }

  @Post()
  @RequireRole('admin')
  @Reach('account')
  @ApiOperation({
    summary: 'Invite a member',
    operationId: 'inviteMember',
    description: 'Owners can invite people to any role; admins can invite members and viewers.',
  })
  @ApiCreatedResponse({
    type: IssuedInvitationDto,
    description: 'The invitation with its link, which is shown only once.',
  })
  @Refuses(INVITATIONS.create)
  async create(
    @CurrentContext() context: RequestContext,
    @Body() { email, role }: InviteDto,
    @Req() request: Request,
  ): Promise<ApiResponse> {
    const issued = await this.invitations.create(email, role, context);
    const warnings = await this.mail.send(issued, context, request);
    return invitationResponse(issued, this.mail.linkFor(issued, request), warnings);
  }

  @Post(':invitationId/link')
  @RequireRole('admin')
  @Reach('account')
  @ApiOperation({ summary: 'Create a new invitation link', operationId: 'renewInvitation' })
  @ApiCreatedResponse({
    type: InvitationLinkDto,
    description: 'The new link. The previous one no longer works.',
  })
  async renew(
    @CurrentContext() context: RequestContext,
    @Param('invitationId') id: string,
    @Req() request: Request,
  ): Promise<ApiResponse> {
    const issued = await this.invitations.renew(id, context);
    const warnings = await this.mail.send(issued, context, request);
    return linkResponse(this.mail.linkFor(issued, request), warnings);
  }

  @Delete(':invitationId')
  @HttpCode(204)
  @RequireRole('admin')
  @Reach('account')
  @ApiOperation({ summary: 'Revoke an invitation', operationId: 'revokeInvitation' })
  @ApiNoContentResponse({ description: 'The link no longer works.' })
  async revoke(
    @CurrentContext() context: RequestContext,
    @Param('invitationId') id: string,
  ): Promise<void> {
    await this.invitations.revoke(id, context);
  }
}
