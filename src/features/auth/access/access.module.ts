import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AccessFactory } from './access-factory.js';
import { PresentPrincipals } from './present-principals.js';

/** The access of callers. All modules share one factory, so trees and rights are cached once. */
@Module({
  imports: [AccountsModule],
  providers: [AccessFactory, PresentPrincipals],
  exports: [AccessFactory, PresentPrincipals],
})
export class AccessModule {}
