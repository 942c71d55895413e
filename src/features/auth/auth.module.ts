import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from './access/access.module.js';
import { DocumentPlaces } from './access/document-places.js';
import { AccountsModule } from './accounts/accounts.module.js';
import { ApiKeyAuthenticator, FailedKeyLimiter } from './api-keys/api-key-authenticator.js';
import { ApiKeysRepository } from './api-keys/api-keys.repository.js';
import { AccessTokenEntity } from './entities/access-token.entity.js';
import { Authenticators } from './guards/authenticators.js';
import { AccessTokenAuthenticator } from './tokens/access-token-authenticator.js';
import { AccessTokensRepository } from './tokens/access-tokens.repository.js';

/** Authentication by API key, by token, and by the authenticators that features register with {@link Authenticators}. */
@Module({
  imports: [AccessModule, AccountsModule, TypeOrmModule.forFeature([AccessTokenEntity])],
  providers: [
    AccessTokenAuthenticator,
    AccessTokensRepository,
    ApiKeyAuthenticator,
    ApiKeysRepository,
    Authenticators,
    DocumentPlaces,
    FailedKeyLimiter,
  ],
  exports: [
    AccessModule,
    AccessTokensRepository,
    AccountsModule,
    ApiKeyAuthenticator,
    Authenticators,
    DocumentPlaces,
  ],
})
export class AuthModule {}
