import { Module } from '@nestjs/common';
import { AuthModule } from '../../access/auth/auth.module.js';
import { KeysModule } from '../../keys/keys.module.js';
import { SecretsModule } from '../../../platform/secrets/secrets.module.js';
import { BrowserSessions } from './session/browser-sessions.js';
import { FirstRunLinks } from './first-run-links.js';
import { InvitationLinks } from './invitation-links.js';
import { LinkMail } from './links/link-mail.js';
import { LinkUseService } from './links/link-use.service.js';
import { LinksController } from './links/links.controller.js';
import { OidcAttempts } from './oidc-attempts.js';
import { OidcClient } from './oidc/oidc-client.js';
import { OidcController } from './oidc/oidc.controller.js';
import { OidcSignIn } from './oidc/oidc-sign-in.js';
import { OneTimeLinkRepository } from './links/one-time-links.repository.js';
import { PasswordChange } from './password-change.js';
import { PasswordLinks } from './password-links.js';
import { Passwords } from './sign-in/passwords.js';
import { SecondFactorsService } from './sign-in/second-factors.service.js';
import { SessionController, SessionsController } from './session/session.controller.js';
import { SessionStateService } from './session/session-state.service.js';
import { SessionRepository } from './session/sessions.repository.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { SignInThrottle } from './sign-in/sign-in-throttle.js';
import { SignedInGuard } from './session/signed-in.guard.js';
import { SignUpService } from './sign-up.service.js';
import { TwoFactorService } from './users/user-security.service.js';
import { UnverifiedUsers } from './users/unverified-users.js';
import { UserAudit } from './users/user-audit.js';
import { UserController } from './users/user.controller.js';
import { UsersController } from './users/users.controller.js';
import { UserRepository } from './users/users.repository.js';

/** Who uses the dashboard: users, how they sign in, and their sessions. */
@Module({
  imports: [AuthModule, KeysModule, SecretsModule],
  controllers: [
    SessionController,
    SessionsController,
    UsersController,
    UserController,
    LinksController,
    OidcController,
  ],
  providers: [
    BrowserSessions,
    FirstRunLinks,
    InvitationLinks,
    LinkMail,
    LinkUseService,
    OidcAttempts,
    OidcClient,
    OidcSignIn,
    OneTimeLinkRepository,
    PasswordChange,
    PasswordLinks,
    Passwords,
    SecondFactorsService,
    SessionStateService,
    SessionRepository,
    SignInService,
    SignInThrottle,
    SignedInGuard,
    SignUpService,
    TwoFactorService,
    UnverifiedUsers,
    UserAudit,
    UserRepository,
  ],
  exports: [
    InvitationLinks,
    LinkMail,
    OneTimeLinkRepository,
    SecondFactorsService,
    SessionRepository,
    SignedInGuard,
  ],
})
export class SessionsModule {}
