import { Module } from '@nestjs/common';
import { AccountsModule } from '../auth/accounts/accounts.module.js';
import { KeyStoreModule } from './key-store.module.js';
import { KeysController } from './keys.controller.js';
import { ServiceAccountsController } from './service-accounts/service-accounts.controller.js';
import { ServiceAccountsService } from './service-accounts/service-accounts.service.js';

@Module({
  imports: [AccountsModule, KeyStoreModule],
  controllers: [KeysController, ServiceAccountsController],
  providers: [ServiceAccountsService],
  exports: [KeyStoreModule],
})
export class KeysModule {}
