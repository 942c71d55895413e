import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Patch,
  Post,
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
import type { Response } from 'express';
import { Public } from '../../access/auth/authentication.js';
import { WithBodyOfDelete } from '../../../platform/http/envelope/json-body-reader.js';
import { Refuses } from '../../../platform/openapi/route-decorators.js';
import { CurrentClient, type Client } from './client.js';
import { SignedInUserDto } from './dto/session.dto.js';
import {
  BeginTwoFactorDto,
  ChangePasswordDto,
  ChangeUserDto,
  ConfirmTwoFactorDto,
  PasswordAndCodeDto,
  RecoveryCodesDto,
  TwoFactorSecretDto,
} from './dto/user.dto.js';
import { PasswordChange } from './password-change.js';
import { SessionStateService } from './session-state.service.js';
import type { Session } from './sessions.service.js';
import { CurrentSession, SignedIn } from './signed-in.guard.js';
import { TwoFactorService } from './two-factor.service.js';
import { UsersService } from './users.service.js';
import { USER } from './sessions.refusals.js';

/** What people change about themselves. */
@ApiTags('user')
@Public()
@SignedIn()
@Controller({ path: 'dashboard/api/user', version: VERSION_NEUTRAL })
export class UserController {
  constructor(
    private readonly users: UsersService,
    private readonly state: SessionStateService,
    private readonly passwordChange: PasswordChange,
    private readonly twoFactor: TwoFactorService,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Read the user who is signed in' })
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

  @Post('password')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Change the password',
    operationId: 'changePassword',
    description: 'All other sessions of the user end. Who has no password yet needs none.',
  })
  @ApiNoContentResponse({ description: 'The new password holds.' })
  @Refuses(USER.changePassword)
  async changePassword(
    @CurrentSession() session: Session,
    @Body() body: ChangePasswordDto,
    @CurrentClient() client: Client,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.passwordChange.bySession(session, body, client, response);
  }

  @Post('two-factor')
  @ApiOperation({
    summary: 'Begin to turn two-factor sign-in on',
    operationId: 'beginTwoFactor',
    description: 'Codes are asked for once one of them has been confirmed.',
  })
  @ApiCreatedResponse({ type: TwoFactorSecretDto, description: 'What the app needs, this once.' })
  @Refuses(USER.beginTwoFactor)
  beginTwoFactor(
    @CurrentSession() session: Session,
    @Body() { password }: BeginTwoFactorDto,
    @CurrentClient() client: Client,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TwoFactorSecretDto> {
    return this.twoFactor.begin(session, password, client, response);
  }

  @Post('two-factor/confirm')
  @HttpCode(200)
  @ApiOperation({ summary: 'Turn two-factor sign-in on', operationId: 'confirmTwoFactor' })
  @ApiOkResponse({
    type: RecoveryCodesDto,
    description: 'It is on. The codes are shown this once.',
  })
  @Refuses(USER.confirmTwoFactor)
  async confirmTwoFactor(
    @CurrentSession() session: Session,
    @Body() { code }: ConfirmTwoFactorDto,
    @CurrentClient() client: Client,
  ): Promise<RecoveryCodesDto> {
    return { recoveryCodes: await this.twoFactor.confirm(session, code, client) };
  }

  @Delete('two-factor')
  @WithBodyOfDelete()
  @HttpCode(204)
  @ApiOperation({ summary: 'Turn two-factor sign-in off', operationId: 'turnOffTwoFactor' })
  @ApiNoContentResponse({ description: 'The password is enough again.' })
  @Refuses(USER.turnOffTwoFactor)
  async turnOffTwoFactor(
    @CurrentSession() session: Session,
    @Body() body: PasswordAndCodeDto,
    @CurrentClient() client: Client,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.twoFactor.turnOff(session, body, client, response);
  }

  @Post('two-factor/recovery-codes')
  @ApiOperation({
    summary: 'Make new recovery codes',
    operationId: 'renewRecoveryCodes',
    description: 'Those from before end.',
  })
  @ApiCreatedResponse({ type: RecoveryCodesDto, description: 'The codes, shown this once.' })
  @Refuses(USER.renewRecoveryCodes)
  async renewRecoveryCodes(
    @CurrentSession() session: Session,
    @Body() body: PasswordAndCodeDto,
    @CurrentClient() client: Client,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RecoveryCodesDto> {
    return { recoveryCodes: await this.twoFactor.renewCodes(session, body, client, response) };
  }
}
