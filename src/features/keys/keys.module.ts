import { Module } from '@nestjs/common';
import { KeyStoreModule } from './key-store.module.js';
import { KeysController } from './keys.controller.js';

@Module({
  imports: [KeyStoreModule],
  controllers: [KeysController],
  exports: [KeyStoreModule],
})
export class KeysModule {}
