import { Module } from '@nestjs/common';
import { ApiKeyDirectory } from './api-key-directory.js';
import { BearerAuthenticator } from './bearer-authenticator.js';
import { FailedKeyLimiter } from './failed-key-limiter.js';
import { KeyUsage } from './key-usage.js';

@Module({
  providers: [ApiKeyDirectory, BearerAuthenticator, FailedKeyLimiter, KeyUsage],
  exports: [BearerAuthenticator],
})
export class AuthModule {}
