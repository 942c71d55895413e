import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyEntity } from '../auth/entities/api-key.entity.js';
import { QuotasModule } from '../usage/quotas/quotas.module.js';
import { KeysRepository } from './keys.repository.js';
import { KeysService } from './keys.service.js';

/** Stored keys, for the API and for background tasks. */
@Module({
  imports: [TypeOrmModule.forFeature([ApiKeyEntity]), QuotasModule],
  providers: [KeysRepository, KeysService],
  exports: [KeysService],
})
export class KeyStoreModule {}
