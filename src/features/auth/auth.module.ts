import { Module } from '@nestjs/common';
import { AccountsModule } from './accounts/accounts.module.js';
import { ApiKeyAuthenticator, FailedKeyLimiter } from './api-keys/api-key-authenticator.js';
import { ApiKeysRepository } from './api-keys/api-keys.repository.js';
import { Authenticators } from './guards/authenticators.js';
import { AccessTokenAuthenticator } from './tokens/access-token-authenticator.js';
import { AccessTokensRepository } from './tokens/access-tokens.repository.js';

/** Authentication by API key, by token, and by the authenticators that features register with {@link Authenticators}. */
@Module({
  imports: [AccountsModule],
  providers: [
    AccessTokenAuthenticator,
    AccessTokensRepository,
    ApiKeyAuthenticator,
    ApiKeysRepository,
    Authenticators,
    FailedKeyLimiter,
  ],
  exports: [AccountsModule, ApiKeyAuthenticator, Authenticators],
})
export class AuthModule {}
