import { Body, Controller, Post, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../access/auth/authentication.js';
import { Refuses } from '../../../platform/openapi/route-decorators.js';
import { BrowserSessions } from './browser-sessions.js';
import { clientOf } from './client.js';
import { SessionStateDto } from './dto/session.dto.js';
import { SignUpDto } from './dto/sign-up.dto.js';
import { SignUpService } from './sign-up.service.js';
import { USERS } from './sessions.refusals.js';

/** Becoming a user. */
@ApiTags('user')
@Public()
@Controller({ path: 'dashboard/api/users', version: VERSION_NEUTRAL })
export class UsersController {
  constructor(
    private readonly signUps: SignUpService,
    private readonly browser: BrowserSessions,
  ) {}

  @Post()
  @ApiOperation({ summary: 'Sign up', operationId: 'signUp' })
  @ApiCreatedResponse({
    type: SessionStateDto,
    description: 'The new user has an account on the plan Free, and is signed in.',
  })
  @Refuses(USERS.create)
  async create(
    @Body() body: SignUpDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionStateDto> {
    const user = await this.signUps.signUp(body, clientOf(request), response);
    return this.browser.begin(user, 'sign-up', request, response);
  }
}
