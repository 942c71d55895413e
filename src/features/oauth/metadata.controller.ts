import { Controller, Get, Req, Res, UseFilters, UseGuards, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AnyFields } from '../../platform/http/envelope/unknown-fields.interceptors.js';
import { Reach } from '../auth/access/reach.decorators.js';
import { Public } from '../auth/auth.decorators.js';
import { APP_SCOPES, DEFAULT_APP_SCOPES } from '../auth/connected-app.js';
import { OAuthFailureFilter } from './oauth-failure.filter.js';
import { issuerOf, OAuthGuard } from './oauth.guard.js';

/** Describes this service to OAuth clients (RFC 9728, RFC 8414). */
@Public()
@Reach('none')
@AnyFields()
@UseGuards(OAuthGuard)
@UseFilters(OAuthFailureFilter)
@ApiExcludeController()
@Controller({ path: '.well-known', version: VERSION_NEUTRAL })
export class MetadataController {
  @Get('oauth-protected-resource')
  readService(@Req() request: Request, @Res() response: Response): void {
    response.json(protectedResource(issuerOf(request), ''));
  }

  @Get('oauth-protected-resource/mcp')
  readMcp(@Req() request: Request, @Res() response: Response): void {
    response.json(protectedResource(issuerOf(request), '/mcp'));
  }

  @Get('oauth-authorization-server')
  readServer(@Req() request: Request, @Res() response: Response): void {
    const issuer = issuerOf(request);
    response.json({
      issuer,
      authorization_endpoint: `${issuer}/dashboard/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      registration_endpoint: `${issuer}/oauth/register`,
      scopes_supported: APP_SCOPES,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      service_documentation: `${issuer}/docs/guides/connect-claude-cursor-and-vs-code`,
    });
  }
}

/** Clients ask for the scopes listed here, so it lists those of an app that only proposes. */
function protectedResource(issuer: string, path: string): object {
  return {
    resource: issuer + path,
    resource_name: 'Document Service',
    authorization_servers: [issuer],
    scopes_supported: DEFAULT_APP_SCOPES,
    bearer_methods_supported: ['header'],
    resource_documentation: `${issuer}/docs/guides/connect-claude-cursor-and-vs-code`,
  };
}
