import { Module } from '@nestjs/common';
import { AuthModule } from '../../access/auth/auth.module.js';
import { KeysModule } from '../../keys/keys.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { UsageModule } from '../../usage/usage.module.js';
import { AccountController } from './account.controller.js';
import { AccountMembers } from './account-members.js';
import { AccountService } from './account.service.js';
import { FirstSteps } from './first-steps.js';
import { InvitationAcceptance } from './invitation-acceptance.js';
import { InvitationMail } from './invitation-mail.js';
import { InvitationsController } from './invitations.controller.js';
import { Invitations } from './invitations.service.js';
import { MembersController } from './members.controller.js';
import { MeController, OwnAccountController } from './own-account.controller.js';

/** Accounts as their own people see and change them, and who these people are. */
@Module({
  imports: [AuthModule, KeysModule, SessionsModule, UsageModule],
  controllers: [
    AccountController,
    OwnAccountController,
    MeController,
    MembersController,
    InvitationsController,
  ],
  providers: [
    AccountMembers,
    AccountService,
    FirstSteps,
    InvitationMail,
    Invitations,
    InvitationAcceptance,
  ],
})
export class MembersModule {}
