import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { AccountController } from './account.controller.js';
import { AccountMembers } from './account-members.js';
import { AccountService } from './account.service.js';
import { FirstSteps } from './first-steps.js';
import { MembersController } from './members.controller.js';

/** Accounts as their own people see and change them, and who these people are. */
@Module({
  imports: [KeysModule, SessionsModule],
  controllers: [AccountController, MembersController],
  providers: [AccountMembers, AccountService, FirstSteps],
})
export class MembersModule {}
