import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../../auth/auth.module.js';
import { KeysModule } from '../../keys/keys.module.js';
import { UsageModule } from '../../usage/usage.module.js';
import { AccountController } from './account/account.controller.js';
import { AccountService } from './account/account.service.js';
import { FirstStepsRepository } from './account/first-steps.repository.js';
import { InvitationMailService } from './invitations/invitation-mail.service.js';
import { DeletedAccountEntity } from './entities/deleted-account.entity.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { AccountMembersService } from './account-members.service.js';
import { MeController, OwnAccountController } from './account/own-account.controller.js';
import { InvitationsController } from './invitations/invitations.controller.js';
import { InvitationsService } from './invitations/invitations.service.js';
import { MemberNamesController } from './member-names.controller.js';
import { MembersController } from './members.controller.js';

/** Accounts as their members see and change them, and the members themselves. */
@Module({
  imports: [
    TypeOrmModule.forFeature([DeletedAccountEntity]),
    AuthModule,
    KeysModule,
    SessionsModule,
    UsageModule,
  ],
  controllers: [
    AccountController,
    OwnAccountController,
    MeController,
    MemberNamesController,
    MembersController,
    InvitationsController,
  ],
  providers: [
    AccountMembersService,
    AccountService,
    FirstStepsRepository,
    InvitationMailService,
    InvitationsService,
  ],
})
export class MembersModule {}
