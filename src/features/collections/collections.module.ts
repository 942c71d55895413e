import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { CollectionAccessController } from './collection-access.controller.js';
import { CollectionAccessService } from './collection-access.service.js';
import { CollectionStoreModule } from './collection-store.module.js';
import { CollectionTreeService } from './collection-tree.service.js';
import { CollectionsController } from './collections.controller.js';
import { CollectionsService } from './collections.service.js';

@Module({
  imports: [AuthModule, CollectionStoreModule],
  controllers: [CollectionsController, CollectionAccessController],
  providers: [CollectionAccessService, CollectionsService, CollectionTreeService],
})
export class CollectionsModule {}
