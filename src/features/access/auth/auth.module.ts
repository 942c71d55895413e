import { Module } from '@nestjs/common';
import { MembersService } from './accounts/members.service.js';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { ApiKeyDirectory } from './api-key-directory.js';
import { Authenticators } from './authenticators.js';
import { FailedKeyLimiter } from './failed-key-limiter.js';

/** Who asks: API keys, and whatever authenticators features register with {@link Authenticators}. */
@Module({
  providers: [
    ApiKeyAuthenticator,
    ApiKeyDirectory,
    Authenticators,
    FailedKeyLimiter,
    MembersService,
  ],
  exports: [Authenticators, MembersService],
})
export class AuthModule {}
