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
import { Public } from '../../../access/auth/authentication.js';
import { WithBodyOfDelete } from '../../../../platform/http/bodies/json-body-reader.js';
import { Refuses } from '../../../../platform/openapi/route-decorators.js';
import { CurrentClient, type Client } from '../client.js';
import { SignedInUserDto } from '../dto/session.dto.js';
import {
  BeginTwoFactorDto,
  ChangePasswordDto,
  ChangeUserDto,
  ConfirmTwoFactorDto,
  PasswordAndCodeDto,
  RecoveryCodesDto,
  TwoFactorSecretDto,
} from '../dto/user.dto.js';
import { isOnAlready, notBegun } from '../sign-in/second-factors.service.js';
import { SessionStateService } from '../session/session-state.service.js';
import type { Session } from '../session/sessions.repository.js';
import { CurrentSession, SignedIn } from '../session/signed-in.guard.js';
import {
  UserSecurityService,
  wrongCode,
  wrongCurrentPassword,
  wrongPasswordFor,
} from './user-security.service.js';
import { UserRepository } from './users.repository.js';

/** What people change about themselves. */
@ApiTags('user')
@Public()
@SignedIn()
@Controller({ path: 'dashboard/api/user', version: VERSION_NEUTRAL })
export class UserController {
  constructor(
    private readonly users: UserRepository,
    private readonly state: SessionStateService,
    private readonly security: UserSecurityService,
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
  @Refuses('Wrong password', wrongCurrentPassword())
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
    summary: 'Begin to turn two-factor sign-in on',
    operationId: 'beginTwoFactor',
    description: 'Codes are asked for once one of them has been confirmed.',
  })
  @ApiCreatedResponse({ type: TwoFactorSecretDto, description: 'What the app needs, this once.' })
  @Refuses('Wrong password', wrongPasswordFor())
  @Refuses('On already', isOnAlready())
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
  @ApiOperation({ summary: 'Turn two-factor sign-in on', operationId: 'confirmTwoFactor' })
  @ApiOkResponse({
    type: RecoveryCodesDto,
    description: 'It is on. The codes are shown this once.',
  })
  @Refuses('Wrong code', wrongCode())
  @Refuses('Not begun', notBegun())
  async confirmTwoFactor(
    @CurrentSession() session: Session,
    @Body() { code }: ConfirmTwoFactorDto,
    @CurrentClient() client: Client,
  ): Promise<RecoveryCodesDto> {
    return { recoveryCodes: await this.security.confirmTwoFactor(session, code, client) };
  }

  @Delete('two-factor')
  @WithBodyOfDelete()
  @HttpCode(204)
  @ApiOperation({ summary: 'Turn two-factor sign-in off', operationId: 'turnOffTwoFactor' })
  @ApiNoContentResponse({ description: 'The password is enough again.' })
  @Refuses('Wrong code', wrongCode())
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
    summary: 'Make new recovery codes',
    operationId: 'renewRecoveryCodes',
    description: 'Those from before end.',
  })
  @ApiCreatedResponse({ type: RecoveryCodesDto, description: 'The codes, shown this once.' })
  @Refuses('Wrong code', wrongCode())
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
