import { Module } from '@nestjs/common';
import { AccountsModule } from '../auth/accounts/accounts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { BrowserTokensController } from './browser-tokens/browser-tokens.controller.js';
import { BrowserTokensService } from './browser-tokens/browser-tokens.service.js';
import { KeyStoreModule } from './key-store.module.js';
import { KeysController } from './keys.controller.js';
import { ServiceAccountsController } from './service-accounts/service-accounts.controller.js';
import { ServiceAccountsService } from './service-accounts/service-accounts.service.js';

@Module({
  imports: [AccountsModule, AuthModule, KeyStoreModule],
  controllers: [BrowserTokensController, KeysController, ServiceAccountsController],
  providers: [BrowserTokensService, ServiceAccountsService],
  exports: [KeyStoreModule],
})
export class KeysModule {}
