import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyEntity } from '../auth/entities/api-key.entity.js';
import { UsageModule } from '../usage/usage.module.js';
import { KeysRepository } from './keys.repository.js';
import { KeysController } from './keys.controller.js';
import { KeysService } from './keys.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ApiKeyEntity]), UsageModule],
  controllers: [KeysController],
  providers: [KeysRepository, KeysService],
  exports: [KeysService],
})
export class KeysModule {}
