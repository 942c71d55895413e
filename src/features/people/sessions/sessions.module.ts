import { Module } from '@nestjs/common';
import { AuthModule } from '../../access/auth/auth.module.js';
import { KeysModule } from '../../keys/keys.module.js';
import { SecretsModule } from '../../../platform/secrets/secrets.module.js';
import { BrowserSessions } from './browser-sessions.js';
import { FirstRunLinks } from './first-run-links.js';
import { InvitationLinks } from './invitation-links.js';
import { LinkMail } from './link-mail.js';
import { LinkUseService } from './link-use.service.js';
import { LinksController } from './links.controller.js';
import { OidcAttempts } from './oidc-attempts.js';
import { OidcClient } from './oidc-client.js';
import { OidcController } from './oidc.controller.js';
import { OidcSignIn } from './oidc-sign-in.js';
import { OneTimeLinks } from './one-time-links.js';
import { PasswordChange } from './password-change.js';
import { PasswordLinks } from './password-links.js';
import { Passwords } from './passwords.js';
import { SecondFactorsService } from './second-factors.service.js';
import { SessionController, SessionsController } from './session.controller.js';
import { SessionStateService } from './session-state.service.js';
import { SessionsService } from './sessions.service.js';
import { SignInService } from './sign-in.service.js';
import { SignInThrottle } from './sign-in-throttle.js';
import { SignedInGuard } from './signed-in.guard.js';
import { SignUpService } from './sign-up.service.js';
import { TwoFactorService } from './two-factor.service.js';
import { UnverifiedUsers } from './unverified-users.js';
import { UserAudit } from './user-audit.js';
import { UserController, UsersController } from './user.controller.js';
import { UsersService } from './users.service.js';

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
    OneTimeLinks,
    PasswordChange,
    PasswordLinks,
    Passwords,
    SecondFactorsService,
    SessionStateService,
    SessionsService,
    SignInService,
    SignInThrottle,
    SignedInGuard,
    SignUpService,
    TwoFactorService,
    UnverifiedUsers,
    UserAudit,
    UsersService,
  ],
  exports: [
    InvitationLinks,
    LinkMail,
    OneTimeLinks,
    SecondFactorsService,
    SessionsService,
    SignedInGuard,
  ],
})
export class SessionsModule {}
