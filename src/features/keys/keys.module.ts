import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BrowserTokensController } from './browser-tokens/browser-tokens.controller.js';
import { BrowserTokensService } from './browser-tokens/browser-tokens.service.js';
import { KeyStoreModule } from './key-store.module.js';
import { KeysController } from './keys.controller.js';

@Module({
  imports: [AuthModule, KeyStoreModule],
  controllers: [BrowserTokensController, KeysController],
  providers: [BrowserTokensService],
  exports: [KeyStoreModule],
})
export class KeysModule {}
