import { Module } from '@nestjs/common';
import { ApiKeyDirectory } from './api-key-directory.js';
import { BearerAuthenticator } from './bearer-authenticator.js';
import { FailedKeyLimiter } from './failed-key-limiter.js';
import { KeyUsage } from './key-usage.js';
import { KeysInForce } from './keys-in-force.js';

@Module({
  providers: [ApiKeyDirectory, BearerAuthenticator, FailedKeyLimiter, KeyUsage, KeysInForce],
  exports: [BearerAuthenticator, KeysInForce],
})
export class AuthModule {}
