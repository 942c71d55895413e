import { Module } from '@nestjs/common';
import { AccountsModule } from '../auth/accounts/accounts.module.js';
import { CollectionStoreModule } from './collection-store.module.js';
import { CollectionsController } from './collections.controller.js';
import { CollectionsService } from './collections.service.js';

@Module({
  imports: [AccountsModule, CollectionStoreModule],
  controllers: [CollectionsController],
  providers: [CollectionsService],
})
export class CollectionsModule {}
