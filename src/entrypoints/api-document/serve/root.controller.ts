import { Controller, Get, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../../features/auth/auth.decorators.js';
import { Reach } from '../../../features/auth/access/reach.decorators.js';
import { SERVICE_VERSION } from '../../../platform/config/project.js';
import { AnyFields } from '../../../platform/http/envelope/unknown-fields.interceptors.js';
import { prefersPage } from '../../../platform/http/prefers-page.js';

const INDEX = {
  service: 'Document Service',
  version: SERVICE_VERSION,
  links: {
    api: '/v1',
    openapi: '/v1/openapi.json',
    documentation: '/docs',
    dashboard: '/dashboard/',
    health: '/health/live',
  },
};

/**
 * Serves the addresses that people and programs try first. People go to the dashboard from `/` and to the documentation
 * from `/v1`. Programs get the paths of the entry points.
 */
@Controller({ path: ['', 'v1'], version: VERSION_NEUTRAL })
@Public()
@Reach('none')
@AnyFields()
@ApiExcludeController()
export class RootController {
  @Get()
  open(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): typeof INDEX | undefined {
    response.vary('Accept');
    if (!prefersPage(request)) return INDEX;
    const { dashboard, documentation } = INDEX.links;
    response.redirect(302, request.path === '/' ? dashboard : documentation);
    return undefined;
  }
}
