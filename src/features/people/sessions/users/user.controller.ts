import type { Request, Response } from 'express';
import { BrowserSessionsService } from '../session/browser-sessions.service.js';
import { clientOf, CurrentClient, type Client } from '../client.js';
import { SessionStateDto, SignedInUserDto } from '../dto/session.dto.js';
import {
  SignUpDto,
  BeginTwoFactorDto,
  ChangePasswordDto,
  ChangeUserDto,
  ConfirmTwoFactorDto,
  PasswordAndCodeDto,
  RecoveryCodesDto,
  TwoFactorSecretDto,
} from '../dto/user.dto.js';
import { SignUpService } from '../sign-in/sign-in.service.js';
import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Patch,
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
import { Public } from '../../../auth/auth.decorators.js';
import { Reach } from '../../../auth/access/reach.decorators.js';
import { Refuses } from '../../../../platform/openapi/route-decorators.js';
import { SessionStateService } from '../session/session-state.service.js';
import type { Session } from '../session/sessions.repository.js';
import { CurrentSession, SignedIn } from '../session/signed-in.guard.js';
import { UserSecurityService } from './user-security.service.js';
import { UsersRepository } from './users.repository.js';
import { USER, USERS } from '../sessions.refusals.js';

@ApiTags('user')
@Public()
@Reach('none')
@SignedIn()
@Controller({ path: 'dashboard/api/user', version: VERSION_NEUTRAL })
export class UserController {
  constructor(
    private readonly users: UsersRepository,
    private readonly state: SessionStateService,
    private readonly security: UserSecurityService,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Read the signed-in user' })
  @ApiOkResponse({ type: SignedInUserDto, description: 'The user.' })
  read(@CurrentSession() { user }: Session): Promise<SignedInUserDto> {
    return this.state.readUser(user);
  }

  @Patch()
  @ApiOperation({ summary: 'Change the name of the user' })
  @ApiOkResponse({ type: SignedInUserDto, description: 'The user.' })
  async update(
    @CurrentSession() { user }: Session,
    @Body() { name }: ChangeUserDto,
  ): Promise<SignedInUserDto> {
    return this.state.readUser(await this.users.rename(user, name.trim()));
  }

  @Delete('notices/former-user')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Dismiss the notice about a former user',
    operationId: 'dismissFormerUserNotice',
  })
  @ApiNoContentResponse({ description: '`formerUserSetApart` is false from now on.' })
  async dismissFormerUser(@CurrentSession() { user }: Session): Promise<void> {
    await this.users.dismissFormerUser(user.id);
  }

  @Post('password')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Change the password',
    operationId: 'changePassword',
    description:
      'Ends all other sessions of the user. Users without a password do not need the current one.',
  })
  @ApiNoContentResponse({ description: 'The password is changed.' })
  @Refuses(USER.changePassword)
  async changePassword(
    @CurrentSession() session: Session,
    @Body() body: ChangePasswordDto,
    @CurrentClient() client: Client,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.security.changePassword(session, body, client, response);
  }

  @Post('two-factor')
  @ApiOperation({
    summary: 'Start turning on two-factor sign-in',
    operationId: 'beginTwoFactor',
    description: 'Sign-in requires codes once you have confirmed one.',
  })
  @ApiCreatedResponse({
    type: TwoFactorSecretDto,
    description: 'The secret for the authenticator app. It is shown only once.',
  })
  @Refuses(USER.beginTwoFactor)
  beginTwoFactor(
    @CurrentSession() session: Session,
    @Body() { password }: BeginTwoFactorDto,
    @CurrentClient() client: Client,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TwoFactorSecretDto> {
    return this.security.beginTwoFactor(session, password, client, response);
  }

  @Post('two-factor/confirm')
  @HttpCode(200)
  @ApiOperation({ summary: 'Turn on two-factor sign-in', operationId: 'confirmTwoFactor' })
  @ApiOkResponse({
    type: RecoveryCodesDto,
    description: 'The recovery codes. They are shown only once.',
  })
  @Refuses(USER.confirmTwoFactor)
  async confirmTwoFactor(
    @CurrentSession() session: Session,
    @Body() { code }: ConfirmTwoFactorDto,
    @CurrentClient() client: Client,
  ): Promise<RecoveryCodesDto> {
    return { recoveryCodes: await this.security.confirmTwoFactor(session, code, client) };
  }

  @Delete('two-factor')
  @HttpCode(204)
  @ApiOperation({ summary: 'Turn off two-factor sign-in', operationId: 'turnOffTwoFactor' })
  @ApiNoContentResponse({ description: 'Sign-in requires only the password.' })
  @Refuses(USER.turnOffTwoFactor)
  async turnOffTwoFactor(
    @CurrentSession() session: Session,
    @Body() body: PasswordAndCodeDto,
    @CurrentClient() client: Client,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.security.turnOffTwoFactor(session, body, client, response);
  }

  @Post('two-factor/recovery-codes')
  @ApiOperation({
    summary: 'Create new recovery codes',
    operationId: 'renewRecoveryCodes',
    description: 'The previous codes no longer work.',
  })
  @ApiCreatedResponse({
    type: RecoveryCodesDto,
    description: 'The codes. They are shown only once.',
  })
  @Refuses(USER.renewRecoveryCodes)
  async renewRecoveryCodes(
    @CurrentSession() session: Session,
    @Body() body: PasswordAndCodeDto,
    @CurrentClient() client: Client,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RecoveryCodesDto> {
    return {
      recoveryCodes: await this.security.renewRecoveryCodes(session, body, client, response),
    };
  }
}

@ApiTags('user')
@Public()
@Reach('none')
@Controller({ path: 'dashboard/api/users', version: VERSION_NEUTRAL })
export class UsersController {
  constructor(
    private readonly signUps: SignUpService,
    private readonly browser: BrowserSessionsService,
  ) {}

  @Post()
  @ApiOperation({ summary: 'Sign up', operationId: 'signUp' })
  @ApiCreatedResponse({
    type: SessionStateDto,
    description: 'The new user is signed in and has an account on the Free plan.',
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
