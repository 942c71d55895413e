import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SecretsModule } from '../../../platform/secrets/secrets.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { UserEntity } from '../../auth/entities/user.entity.js';
import { KeysModule } from '../../keys/keys.module.js';
import { BrowserSessionsService } from './session/browser-sessions.service.js';
import { LinkMailService } from './links/link-mail.service.js';
import {
  InvitationAcceptancesService,
  InvitationUseService,
} from './links/invitation-use.service.js';
import { LinkUseService } from './links/link-use.service.js';
import { LinksController } from './links/links.controller.js';
import { PasswordLinkService } from './links/password-link.service.js';
import { OneTimeLinkEntity } from './entities/one-time-link.entity.js';
import { SessionEntity } from './entities/session.entity.js';
import {
  UserCredentialEntity,
  UserIdentityEntity,
  UserSecondFactorEntity,
} from './entities/user-credentials.entities.js';
import { OidcAttempts, OidcSignInService } from './oidc/oidc-sign-in.service.js';
import { OidcClient } from './oidc/oidc-client.js';
import { OidcNavigation } from './oidc/oidc-navigation.js';
import { OidcController } from './oidc/oidc.controller.js';
import { PasswordsService } from './sign-in/passwords.service.js';
import { SecondFactorsRepository } from './sign-in/second-factors.repository.js';
import { SecondFactorsService } from './sign-in/second-factors.service.js';
import { SessionController, SessionsController } from './session/session.controller.js';
import { SessionStateService } from './session/session-state.service.js';
import { SignInService, SignUpService } from './sign-in/sign-in.service.js';
import { SignInThrottleRepository } from './sign-in/sign-in-throttle.repository.js';
import { SignedInGuard } from './session/signed-in.guard.js';
import { UnverifiedUsersService } from './users/unverified-users.service.js';
import { UserAuditService } from './users/user-audit.service.js';
import { UserController, UsersController } from './users/user.controller.js';
import { OneTimeLinksRepository } from './links/one-time-links.repository.js';
import { SessionsRepository } from './session/sessions.repository.js';
import { UserSecurityService } from './users/user-security.service.js';
import { UsersRepository } from './users/users.repository.js';

/** The users of the dashboard: how they sign in, and their sessions. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      OneTimeLinkEntity,
      SessionEntity,
      UserCredentialEntity,
      UserEntity,
      UserIdentityEntity,
      UserSecondFactorEntity,
    ]),
    AuthModule,
    KeysModule,
    SecretsModule,
  ],
  controllers: [
    SessionController,
    SessionsController,
    UsersController,
    UserController,
    LinksController,
    OidcController,
  ],
  providers: [
    BrowserSessionsService,
    InvitationAcceptancesService,
    InvitationUseService,
    LinkMailService,
    LinkUseService,
    OidcAttempts,
    OidcClient,
    OidcNavigation,
    OidcSignInService,
    OneTimeLinksRepository,
    PasswordLinkService,
    PasswordsService,
    SecondFactorsRepository,
    SecondFactorsService,
    SessionStateService,
    SessionsRepository,
    SignInService,
    SignInThrottleRepository,
    SignedInGuard,
    SignUpService,
    UnverifiedUsersService,
    UserAuditService,
    UserSecurityService,
    UsersRepository,
  ],
  exports: [
    LinkMailService,
    OneTimeLinksRepository,
    SecondFactorsService,
    SessionsRepository,
    SignedInGuard,
  ],
})
export class SessionsModule {}
