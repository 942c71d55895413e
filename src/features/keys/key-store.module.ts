import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../auth/accounts/accounts.module.js';
import { ApiKeyEntity } from '../auth/entities/api-key.entity.js';
import { UserEntity } from '../auth/entities/user.entity.js';
import { QuotasModule } from '../usage/quotas/quotas.module.js';
import { KeysRepository } from './keys.repository.js';
import { KeysService } from './keys.service.js';
import { ServiceAccountsRepository } from './service-accounts/service-accounts.repository.js';

/** Stored keys, for the API and for background tasks. */
@Module({
  imports: [TypeOrmModule.forFeature([ApiKeyEntity, UserEntity]), AccountsModule, QuotasModule],
  providers: [KeysRepository, KeysService, ServiceAccountsRepository],
  exports: [KeysService, ServiceAccountsRepository],
})
export class KeyStoreModule {}
