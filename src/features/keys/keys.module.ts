import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyEntity } from '../auth/entities/api-key.entity.js';
import { AuthModule } from '../auth/auth.module.js';
import { UserEntity } from '../auth/entities/user.entity.js';
import { UsageModule } from '../usage/usage.module.js';
import { KeysRepository } from './keys.repository.js';
import { KeysController } from './keys.controller.js';
import { KeysService } from './keys.service.js';
import { ServiceAccountsController } from './service-accounts/service-accounts.controller.js';
import { ServiceAccountsRepository } from './service-accounts/service-accounts.repository.js';
import { ServiceAccountsService } from './service-accounts/service-accounts.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ApiKeyEntity, UserEntity]), AuthModule, UsageModule],
  controllers: [KeysController, ServiceAccountsController],
  providers: [KeysRepository, KeysService, ServiceAccountsRepository, ServiceAccountsService],
  exports: [KeysService],
})
export class KeysModule {}
