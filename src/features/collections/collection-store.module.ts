import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CollectionsRepository } from './collections.repository.js';
import { CollectionEntity } from './entities/collection.entity.js';

/** Stored collections, for the API and background tasks. */
@Module({
  imports: [TypeOrmModule.forFeature([CollectionEntity])],
  providers: [CollectionsRepository],
  exports: [CollectionsRepository],
})
export class CollectionStoreModule {}
