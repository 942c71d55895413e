import { Body, Controller, HttpCode, Post, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../access/auth/authentication.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { Refuses } from '../../../platform/openapi/route-decorators.js';
import { BrowserSessions } from './browser-sessions.js';
import { clientOf } from './client.js';
import { LinkDto, PreviewLinkDto, UseLinkDto } from './dto/link.dto.js';
import { SessionStateDto } from './dto/session.dto.js';
import { LinkUseService } from './link-use.service.js';
import { OneTimeLinks } from './one-time-links.js';
import { SessionStateService } from './session-state.service.js';
import { SessionsService } from './sessions.service.js';
import { LINKS } from './sessions.refusals.js';

/** Links that work once: to begin, to join an account, to set a new password. */
@ApiTags('session')
@Public()
@Controller({ path: 'dashboard/api/links', version: VERSION_NEUTRAL })
export class LinksController {
  constructor(
    private readonly links: OneTimeLinks,
    private readonly uses: LinkUseService,
    private readonly sessions: SessionsService,
    private readonly browser: BrowserSessions,
    private readonly state: SessionStateService,
  ) {}

  @Post('preview')
  @HttpCode(200)
  @ApiOperation({ summary: 'Read what a link is for', operationId: 'previewLink' })
  @ApiOkResponse({ type: LinkDto, description: 'It can still be used.' })
  @Refuses(LINKS.preview)
  async preview(@Body() { token }: PreviewLinkDto): Promise<LinkDto> {
    const link = await this.links.find(token);
    const { purpose, email, account, role, invitedBy, user, expiresAt } = link;
    return {
      purpose,
      email: purpose === 'password' ? (user?.email ?? null) : email,
      account: account && { id: encodeId('account', account.id), name: account.name },
      role,
      invitedBy: invitedBy?.name ?? null,
      userExists: await this.uses.isForUser(link),
      expiresAt: expiresAt.toISOString(),
    };
  }

  @Post('use')
  @ApiOperation({
    summary: 'Use a link',
    operationId: 'useLink',
    description:
      'A first run needs e-mail, name and password; an invitation name and password of a new user, the password of a known one who is not signed in (and the code, with two-factor sign-in); the third kind the new password. Who has two-factor sign-in is not signed in by setting a password: `user` is null then.',
  })
  @ApiCreatedResponse({ type: SessionStateDto, description: 'The session is in the cookie.' })
  @Refuses(LINKS.use)
  async use(
    @Body() body: UseLinkDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionStateDto> {
    const session = await this.sessions.of(request);
    const by = { client: clientOf(request), session, caller: response };
    const { user, signsIn } = await this.uses.use(body, by);
    if (!signsIn) return this.state.read(undefined);
    // Who joined another account stays in the session in which he did.
    const present = await this.sessions.of(request);
    if (present?.user.id === user.id) return this.state.read(present);
    return this.browser.begin(user, 'link', request, response);
  }
}
