import {
  Controller,
  Header,
  HttpCode,
  Post,
  Req,
  Res,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { BodyReadBy } from '../../platform/http/bodies/body.interceptor.js';
import { AnyFields } from '../../platform/http/envelope/unknown-fields.interceptors.js';
import { clientAddressOf } from '../../platform/network/client-address.js';
import { userAgentOf } from '../../platform/network/user-agent.js';
import { Reach } from '../auth/access/reach.decorators.js';
import { Public } from '../auth/auth.decorators.js';
import { registeredClient } from './clients/registration.js';
import { Form, jsonOf, OAuthBodyReader } from './oauth-body-reader.js';
import { OAuthError } from './oauth-error.js';
import { OAuthFailureFilter } from './oauth-failure.filter.js';
import { issuerOf, OAuthGuard } from './oauth.guard.js';
import type { Sender, TokenResponse } from './tokens/app-access.service.js';
import { CodeExchangeService } from './tokens/code-exchange.service.js';
import { TokenRefreshService } from './tokens/token-refresh.service.js';

/** The routes that OAuth clients call, in the formats of their RFCs. See docs/adr/0040-oauth-for-apps.md. */
@Public()
@Reach('none')
@AnyFields()
@UseGuards(OAuthGuard)
@UseFilters(OAuthFailureFilter)
@ApiExcludeController()
@Controller({ path: 'oauth', version: VERSION_NEUTRAL })
export class OAuthController {
  constructor(
    private readonly codes: CodeExchangeService,
    private readonly tokens: TokenRefreshService,
  ) {}

  @Post('token')
  @HttpCode(200)
  @BodyReadBy(OAuthBodyReader)
  @Header('Cache-Control', 'no-store')
  async token(@Req() request: Request, @Res() response: Response): Promise<void> {
    const form = new Form(request);
    response.json(await this.tokensFor(form, issuerOf(request), senderOf(request)));
  }

  @Post('revoke')
  @HttpCode(200)
  @BodyReadBy(OAuthBodyReader)
  async revoke(@Req() request: Request, @Res() response: Response): Promise<void> {
    const form = new Form(request);
    const clientId = form.optional('client_id');
    await this.tokens.revoke(form.required('token'), clientId, senderOf(request));
    response.end();
  }

  @Post('register')
  @HttpCode(201)
  @BodyReadBy(OAuthBodyReader)
  @Header('Cache-Control', 'no-store')
  register(@Req() request: Request, @Res() response: Response): void {
    const { id, name, redirectUris } = registeredClient(jsonOf(request));
    response.json({
      client_id: id,
      client_name: name,
      redirect_uris: redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
  }

  private tokensFor(form: Form, issuer: string, sender: Sender): Promise<TokenResponse> {
    const shared = { clientId: form.required('client_id'), resource: form.optional('resource') };
    switch (form.required('grant_type')) {
      case 'authorization_code': {
        const code = form.required('code');
        const codeVerifier = form.required('code_verifier');
        const redirectUri = form.optional('redirect_uri');
        const grant = { ...shared, code, codeVerifier, redirectUri };
        return this.codes.exchange(grant, issuer, sender);
      }
      case 'refresh_token': {
        const refreshToken = form.required('refresh_token');
        const grant = { ...shared, refreshToken, scope: form.optional('scope') };
        return this.tokens.refresh(grant, issuer, sender);
      }
      default:
        throw new OAuthError(
          'unsupported_grant_type',
          'Send grant_type as authorization_code or refresh_token.',
        );
    }
  }
}

function senderOf(request: Request): Sender {
  return {
    requestId: request.requestId,
    clientAddress: clientAddressOf(request),
    userAgent: userAgentOf(request),
  };
}
