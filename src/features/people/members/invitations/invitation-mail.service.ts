import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { RequestContext } from '../../../auth/request-context.js';
import { Config } from '../../../../platform/config/config.js';
import { publicOrigin } from '../../../../platform/http/public-origin.js';
import type { FieldProblem } from '../../../../platform/basics/errors/app-error.js';
import { LinkMailService } from '../../sessions/links/link-mail.service.js';
import { linkUrl } from '../../sessions/secret-token.js';
import type { IssuedInvitation } from './invitations.service.js';

/** Sends invitations by mail. */
@Injectable()
export class InvitationMailService {
  constructor(
    private readonly mail: LinkMailService,
    private readonly config: Config,
  ) {}

  /** Sends the link if the operator has configured a mail server. Returns warnings if sending failed. */
  send(
    { invitation, mailedToken }: IssuedInvitation,
    { principal: { accountId, plan }, clientAddress }: RequestContext,
    request: Request,
  ): Promise<FieldProblem[]> {
    const { email, account, invitedBy, expiresAt } = invitation;
    const message = {
      to: email ?? '',
      purpose: 'invitation',
      url: this.urlOf(mailedToken, request),
      expiresAt,
      invitation: { by: invitedBy?.name ?? 'Somebody', account: account?.name ?? '' },
    } as const;
    return this.mail.send(message, { accountId, plan, clientAddress });
  }

  /** Returns the link for the person who invites. Unlike the mailed one, it does not prove an address. */
  linkFor({ token }: IssuedInvitation, request: Request): string {
    return this.urlOf(token, request);
  }

  private urlOf(token: string, request: Request): string {
    return linkUrl(publicOrigin(request, this.config), 'invitation', token);
  }
}
