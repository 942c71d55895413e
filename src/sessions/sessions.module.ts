import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BrowserSessions } from './browser-sessions.js';
import { Passwords } from './passwords.js';
import { SessionController, SessionsController } from './session.controller.js';
import { SessionStateService } from './session-state.service.js';
import { SessionsService } from './sessions.service.js';
import { SignInService } from './sign-in.service.js';
import { SignInThrottle } from './sign-in-throttle.js';
import { SignedInGuard } from './signed-in.guard.js';
import { SignUpService } from './sign-up.service.js';
import { UserAudit } from './user-audit.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

/** Who uses the dashboard: users, how they sign in, and their sessions. */
@Module({
  imports: [AuthModule],
  controllers: [SessionController, SessionsController, UsersController],
  providers: [
    BrowserSessions,
    Passwords,
    SessionStateService,
    SessionsService,
    SignInService,
    SignInThrottle,
    SignUpService,
    SignedInGuard,
    UserAudit,
    UsersService,
  ],
  exports: [SessionsService, SignedInGuard],
})
export class SessionsModule {}
