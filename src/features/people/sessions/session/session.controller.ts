import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Post,
  Req,
  Res,
  VERSION_NEUTRAL,
} from '@nestjs/common';
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
import { BrowserSessionsService } from './browser-sessions.service.js';
import { clientOf, CurrentClient, type Client } from '../client.js';
import { SessionDto, SessionStateDto } from '../dto/session.dto.js';
import { SignInDto } from '../dto/user.dto.js';
import { presentSession } from '../session.presenter.js';
import { SessionStateService } from './session-state.service.js';
import { type Session, SessionsRepository } from './sessions.repository.js';
import { SignInService } from '../sign-in/sign-in.service.js';
import { CurrentSession, SignedIn } from './signed-in.guard.js';
import { SESSION } from '../sessions.refusals.js';

@ApiTags('session')
@Public()
@Reach('none')
@Controller({ path: 'dashboard/api/session', version: VERSION_NEUTRAL })
export class SessionController {
  constructor(
    private readonly browser: BrowserSessionsService,
    private readonly sessions: SessionsRepository,
    private readonly state: SessionStateService,
    private readonly signIn: SignInService,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Read the session state', operationId: 'readSessionState' })
  @ApiOkResponse({
    type: SessionStateDto,
    description: 'The session state. Without a session, `user` is null.',
  })
  async read(@Req() request: Request): Promise<SessionStateDto> {
    return this.state.read(await this.sessions.findByRequest(request));
  }

  @Post()
  @ApiOperation({ summary: 'Sign in', operationId: 'signIn' })
  @ApiCreatedResponse({
    type: SessionStateDto,
    description: 'Signed in. The cookie holds the session.',
  })
  @Refuses(SESSION.create)
  async create(
    @Body() body: SignInDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionStateDto> {
    const user = await this.signIn.identify(body, clientOf(request), response);
    return this.browser.begin(user, 'password', request, response);
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({ summary: 'Sign out', operationId: 'signOut' })
  @ApiNoContentResponse({ description: 'The session has ended, or there was none.' })
  async delete(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.browser.end(request, response);
  }
}

@ApiTags('session')
@Public()
@Reach('none')
@SignedIn()
@Controller({ path: 'dashboard/api/sessions', version: VERSION_NEUTRAL })
export class SessionsController {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly browser: BrowserSessionsService,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the sessions of the user' })
  @ApiOkResponse({ type: SessionDto, isArray: true, description: 'Most recently used first.' })
  async list(@CurrentSession() current: Session): Promise<SessionDto[]> {
    const sessions = await this.sessions.list(current.user);
    return sessions.map((session) => presentSession(session, current));
  }

  @Delete(':sessionId')
  @HttpCode(204)
  @ApiOperation({ summary: 'End a session', operationId: 'endSession' })
  @ApiNoContentResponse({ description: 'The session has ended on every replica.' })
  async delete(
    @CurrentSession() session: Session,
    @Param('sessionId') sessionId: string,
    @CurrentClient() client: Client,
  ): Promise<void> {
    await this.browser.endOne(session, sessionId, client);
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({ summary: 'End all other sessions', operationId: 'endOtherSessions' })
  @ApiNoContentResponse({ description: 'Only the current session remains.' })
  async deleteOthers(
    @CurrentSession() session: Session,
    @CurrentClient() client: Client,
  ): Promise<void> {
    await this.browser.endOthers(session, client);
  }
}
