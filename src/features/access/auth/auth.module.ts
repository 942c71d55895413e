import { Module } from '@nestjs/common';
import { MembershipRepository } from './accounts/memberships.repository.js';
import { ApiKeyAuthenticator } from './api-keys/api-key-authenticator.js';
import { ApiKeyRepository } from './api-keys/api-key.repository.js';
import { Authenticators } from './guards/authenticators.js';
import { FailedKeyLimiter } from './failed-key-limiter.js';

/** Who asks: API keys, and whatever authenticators features register with {@link Authenticators}. */
@Module({
  providers: [
    ApiKeyAuthenticator,
    ApiKeyRepository,
    Authenticators,
    FailedKeyLimiter,
    MembershipRepository,
  ],
  exports: [Authenticators, MembershipRepository],
})
export class AuthModule {}
