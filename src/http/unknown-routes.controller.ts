import { All, Controller, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Express, Request, Response } from 'express';
import { OptionalAuthentication } from '../auth/authentication.js';
import { AnyFields } from '../envelope/unknown-fields.js';
import { WithoutBody } from '../envelope/json-body-reader.js';
import { AppError } from '../errors/app-error.js';
import { methodsOf } from './route-table.js';

/**
 * Every path that no other route has. A route of its own, so that the guards run: a request with a key counts and is
 * told its limits here too.
 */
@Controller({ version: VERSION_NEUTRAL })
@ApiExcludeController()
export class UnknownRoutesController {
  constructor(private readonly adapter: HttpAdapterHost) {}

  @All('{*path}')
  @OptionalAuthentication()
  @WithoutBody()
  @AnyFields()
  refuse(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): { allowed: string[] } {
    const allowed = methodsOf(this.adapter.httpAdapter.getInstance<Express>(), request.path);
    if (allowed.length === 0) {
      throw new AppError('not_found', 'There is no such path. The API is described at /docs.');
    }
    response.setHeader('Allow', allowed.join(', '));
    if (request.method === 'OPTIONS') return { allowed };
    throw new AppError(
      'method_not_allowed',
      `This path has no ${request.method}. It has ${allowed.join(', ')}.`,
      {
        allowed,
      },
    );
  }
}
