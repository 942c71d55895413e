import { Body, Controller, HttpCode, Post, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../../auth/auth.decorators.js';
import { Reach } from '../../../auth/access/reach.decorators.js';
import { Refuses } from '../../../../platform/openapi/route-decorators.js';
import { BrowserSessionsService } from '../session/browser-sessions.service.js';
import { UsersRepository } from '../users/users.repository.js';
import { clientOf } from '../client.js';
import { LinkDto, PreviewLinkDto, RequestPasswordLinkDto, UseLinkDto } from '../dto/link.dto.js';
import { SessionStateDto } from '../dto/session.dto.js';
import { LinkUseService } from './link-use.service.js';
import { PasswordLinkService } from './password-link.service.js';
import { presentLink } from '../session.presenter.js';
import { LINKS } from '../sessions.refusals.js';
import { OneTimeLinksRepository } from './one-time-links.repository.js';
import { SessionsRepository } from '../session/sessions.repository.js';

/** One-time links: for the first run, for invitations, and to set a password. */
@ApiTags('session')
@Public()
@Reach('none')
@Controller({ path: 'dashboard/api/links', version: VERSION_NEUTRAL })
export class LinksController {
  constructor(
    private readonly links: OneTimeLinksRepository,
    private readonly uses: LinkUseService,
    private readonly passwordLinks: PasswordLinkService,
    private readonly users: UsersRepository,
    private readonly sessions: SessionsRepository,
    private readonly browser: BrowserSessionsService,
  ) {}

  @Post('preview')
  @HttpCode(200)
  @ApiOperation({ summary: 'Preview a link', operationId: 'previewLink' })
  @ApiOkResponse({ type: LinkDto, description: 'The link. It is still valid.' })
  @Refuses(LINKS.preview)
  async preview(@Body() { token }: PreviewLinkDto): Promise<LinkDto> {
    const link = await this.links.find(token);
    const isFirst = link.purpose === 'first-run' && !(await this.users.canAnyoneSignIn());
    return presentLink(link, isFirst);
  }

  @Post('password')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Request a password link',
    operationId: 'requestPasswordLink',
    description:
      'Sends a link to set a new password to the address, if it belongs to a user. The response does not tell whether it does.',
  })
  @ApiNoContentResponse({ description: 'The mail is on its way, if the address has a user.' })
  @Refuses(LINKS.requestPassword)
  async requestPassword(
    @Body() { email }: RequestPasswordLinkDto,
    @Req() request: Request,
  ): Promise<void> {
    await this.passwordLinks.request(email, request);
  }

  @Post('use')
  @ApiOperation({
    summary: 'Use a link',
    operationId: 'useLink',
    description:
      'The fields depend on the link. A first-run link needs an email address, a name and a password. An invitation needs the name and password of a new user, or only the password (and two-factor code) of an existing user who is not signed in. A password link needs the new password. Setting a password does not sign in users with two-factor sign-in: `user` is then null.',
  })
  @ApiCreatedResponse({
    type: SessionStateDto,
    description: 'Signed in. The cookie holds the session.',
  })
  @Refuses(LINKS.use)
  async use(
    @Body() body: UseLinkDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionStateDto> {
    const session = await this.sessions.findByRequest(request);
    const by = { client: clientOf(request), session, caller: response };
    return this.browser.beginByLink(await this.uses.use(body, by), request, response);
  }
}
