import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountEntity } from '../entities/account.entity.js';
import { MemberEntity } from '../entities/member.entity.js';
import { UserEntity } from '../entities/user.entity.js';
import { AccountRepository } from './accounts.repository.js';
import { MembershipRepository } from './memberships.repository.js';

/** Stored accounts and their members. */
@Module({
  imports: [TypeOrmModule.forFeature([AccountEntity, MemberEntity, UserEntity])],
  providers: [AccountRepository, MembershipRepository],
  exports: [AccountRepository, MembershipRepository],
})
export class AccountsModule {}
