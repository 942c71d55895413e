import { Module } from '@nestjs/common';
import { MembershipRepository } from './accounts/memberships.repository.js';
import { ApiKeyAuthenticator, FailedKeyLimiter } from './api-keys/api-key-authenticator.js';
import { ApiKeyRepository } from './api-keys/api-key.repository.js';
import { Authenticators } from './guards/authenticators.js';

/** Authentication by API key, and by the authenticators that features register with {@link Authenticators}. */
@Module({
  providers: [
    ApiKeyAuthenticator,
    ApiKeyRepository,
    Authenticators,
    FailedKeyLimiter,
    MembershipRepository,
  ],
  exports: [ApiKeyAuthenticator, Authenticators, MembershipRepository],
})
export class AuthModule {}
