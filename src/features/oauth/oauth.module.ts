import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { AppKeysRepository } from './authorizations/app-keys.repository.js';
import { AuthorizationCodesRepository } from './authorizations/authorization-codes.repository.js';
import { AuthorizationsController } from './authorizations/authorizations.controller.js';
import { AuthorizationsService } from './authorizations/authorizations.service.js';
import { ClientDocuments } from './clients/client-documents.js';
import { AuthorizationCodeEntity } from './entities/authorization-code.entity.js';
import { MetadataController } from './metadata.controller.js';
import { OAuthBodyReader } from './oauth-body-reader.js';
import { OAuthController } from './oauth.controller.js';
import { OAuthLimiter } from './oauth.guard.js';
import { AppTokensRepository } from './tokens/app-tokens.repository.js';
import { AppAccessService } from './tokens/app-access.service.js';
import { CodeExchangeService } from './tokens/code-exchange.service.js';
import { TokenRefreshService } from './tokens/token-refresh.service.js';

/** Lets people connect apps with OAuth 2.1. */
@Module({
  imports: [TypeOrmModule.forFeature([AuthorizationCodeEntity]), AuthModule, KeysModule],
  controllers: [AuthorizationsController, MetadataController, OAuthController],
  providers: [
    AppAccessService,
    AppKeysRepository,
    AppTokensRepository,
    AuthorizationCodesRepository,
    AuthorizationsService,
    ClientDocuments,
    OAuthBodyReader,
    OAuthLimiter,
    CodeExchangeService,
    TokenRefreshService,
  ],
})
export class OAuthModule {}
