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
import { CurrentContext } from '../../access/auth/authentication.js';
import type { PersonPrincipal } from '../../access/auth/principal.js';
import type { RequestContext } from '../../access/auth/request-context.js';
import { CurrentPerson, RequireRole } from '../../access/auth/role.guard.js';
import { Config } from '../../../platform/config/config.js';
import { publicOrigin } from '../../../platform/http/public-origin.js';
import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { Refuses } from '../../../platform/openapi/route-decorators.js';
import { LinkMail } from '../sessions/link-mail.js';
import { linkUrl } from '../sessions/link-url.js';
import type { OneTimeLink } from '../sessions/one-time-links.js';
import {
  InvitationDto,
  InvitationLinkDto,
  InviteDto,
  IssuedInvitationDto,
} from './dto/invitation.dto.js';
import { Invitations, type IssuedInvitation } from './invitations.service.js';
import { INVITATIONS } from './members.refusals.js';

/** Who is asked to join an account. */
@ApiTags('members')
@Controller({ path: 'dashboard/api/accounts/:accountId/invitations', version: VERSION_NEUTRAL })
export class InvitationsController {
  constructor(
    private readonly invitations: Invitations,
    private readonly mail: LinkMail,
    private readonly config: Config,
  ) {}

  @Get()
  @RequireRole('admin')
  @ApiOperation({ summary: 'List the open invitations' })
  @ApiOkResponse({ type: InvitationDto, isArray: true, description: 'The oldest first.' })
  async list(@CurrentPerson() { accountId }: PersonPrincipal): Promise<InvitationDto[]> {
    return (await this.invitations.list(accountId)).map(present);
  }

  @Post()
  @RequireRole('admin')
  @ApiOperation({
    summary: 'Invite somebody',
    operationId: 'inviteMember',
    description: 'Owners invite to every role; admins invite members and viewers.',
  })
  @ApiCreatedResponse({ type: IssuedInvitationDto, description: 'With the link, this once.' })
  @Refuses(INVITATIONS.create)
  async create(
    @CurrentContext() context: RequestContext,
    @Body() { email, role }: InviteDto,
    @Req() request: Request,
  ): Promise<ApiResponse> {
    const issued = await this.invitations.create(email, role, context);
    const link = this.linkOf(issued.token, request);
    const body: IssuedInvitationDto = Object.assign(present(issued.invitation), { link });
    return new ApiResponse(JSON.stringify(body), {
      warnings: await this.send(issued, context, request),
    });
  }

  @Post(':invitationId/link')
  @RequireRole('admin')
  @ApiOperation({ summary: 'Make a new link', operationId: 'renewInvitation' })
  @ApiCreatedResponse({ type: InvitationLinkDto, description: 'The one before has ended.' })
  async renew(
    @CurrentContext() context: RequestContext,
    @Param('invitationId') id: string,
    @Req() request: Request,
  ): Promise<ApiResponse> {
    const issued = await this.invitations.renew(id, context);
    const body: InvitationLinkDto = { link: this.linkOf(issued.token, request) };
    return new ApiResponse(JSON.stringify(body), {
      warnings: await this.send(issued, context, request),
    });
  }

  @Delete(':invitationId')
  @HttpCode(204)
  @RequireRole('admin')
  @ApiOperation({ summary: 'Take an invitation back', operationId: 'revokeInvitation' })
  @ApiNoContentResponse({ description: 'Its link works no more.' })
  async revoke(
    @CurrentContext() context: RequestContext,
    @Param('invitationId') id: string,
  ): Promise<void> {
    await this.invitations.revoke(id, context);
  }

  /** By mail too, where there is a mail server; warnings when it could not be sent. */
  private send(
    { invitation, mailedToken }: IssuedInvitation,
    { principal: { accountId, plan }, clientAddress }: RequestContext,
    request: Request,
  ): Promise<FieldProblem[]> {
    const { email, account, invitedBy, expiresAt } = invitation;
    const message = {
      to: email ?? '',
      purpose: 'invitation',
      url: this.linkOf(mailedToken, request),
      expiresAt,
      invitation: { by: invitedBy?.name ?? 'Somebody', account: account?.name ?? '' },
    } as const;
    return this.mail.send(message, { accountId, plan, clientAddress });
  }

  private linkOf(token: string, request: Request): string {
    return linkUrl(publicOrigin(request, this.config), 'invitation', token);
  }
}

/** The one list of an invitation's public fields. */
function present({ id, email, role, invitedBy, createdAt, expiresAt }: OneTimeLink): InvitationDto {
  return {
    id: encodeId('invitation', id),
    email: email ?? '',
    role: role ?? 'viewer',
    invitedBy: invitedBy?.name ?? null,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
