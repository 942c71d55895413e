import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountEntity } from '../entities/account.entity.js';
import { MemberEntity } from '../entities/member.entity.js';
import { UserEntity } from '../entities/user.entity.js';
import { AccountsRepository } from './accounts.repository.js';
import { MembershipsRepository } from './memberships.repository.js';

/** Stored accounts and their members. */
@Module({
  imports: [TypeOrmModule.forFeature([AccountEntity, MemberEntity, UserEntity])],
  providers: [AccountsRepository, MembershipsRepository],
  exports: [AccountsRepository, MembershipsRepository],
})
export class AccountsModule {}
