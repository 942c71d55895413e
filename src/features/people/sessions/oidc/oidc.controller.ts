import { Controller, Get, Query, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiFoundResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../../auth/auth.decorators.js';
import { Reach } from '../../../auth/access/reach.decorators.js';
import { AnyFields } from '../../../../platform/http/envelope/unknown-fields.interceptors.js';
import { Refuses, WithoutEnvelope } from '../../../../platform/openapi/route-decorators.js';
import { OidcNavigation, safePath } from './oidc-navigation.js';
import { OIDC } from '../sessions.refusals.js';

/** Sign-in with an OpenID Connect provider. The browser navigates to the provider and back. */
@ApiTags('session')
@Public()
@Reach('none')
@AnyFields()
@Controller({ path: 'dashboard/api/oidc', version: VERSION_NEUTRAL })
export class OidcController {
  constructor(private readonly navigation: OidcNavigation) {}

  @Get('start')
  @WithoutEnvelope()
  @ApiOperation({ summary: 'Sign in with the OpenID Connect provider', operationId: 'startOidc' })
  @ApiQuery({
    name: 'next',
    required: false,
    description: 'The path below /dashboard/ to open after sign-in.',
  })
  @ApiFoundResponse({ description: 'Redirects to the provider.' })
  @Refuses(OIDC.start)
  async start(
    @Query('next') next: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.navigation.start(safePath(next), request, response);
  }

  @Get('callback')
  @WithoutEnvelope()
  @ApiOperation({ summary: 'Complete the sign-in with the provider', operationId: 'finishOidc' })
  @ApiFoundResponse({ description: 'Signed in. Redirects to the requested page.' })
  @Refuses(OIDC.finish)
  async finish(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.navigation.finish(request, response);
  }
}
