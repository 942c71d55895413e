import { All, Controller, Req, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Express, Request, Response } from 'express';
import { OptionalKey } from '../auth/authentication.js';
import { AppError } from '../errors/app-error.js';

interface RouterLayer {
  route?: { path: unknown; methods: Record<string, boolean> };
  match(path: string): boolean;
}

/**
 * Every path of the API that no other route has. A route of its own, so that the guards run: a request with a key
 * counts and is told its limits here too. It must be the last module.
 */
@Controller()
export class UnknownRoutesController {
  constructor(private readonly adapter: HttpAdapterHost) {}

  @All('*path')
  @OptionalKey()
  refuse(@Req() request: Request, @Res({ passthrough: true }) response: Response): void {
    const allowed = this.methodsOf(request.path);
    if (allowed.length === 0) {
      throw new AppError('not_found', 'There is no such path. The API is described at /docs.');
    }
    response.setHeader('Allow', allowed.join(', '));
    if (request.method === 'OPTIONS') return;
    throw new AppError(
      'method_not_allowed',
      `This path has no ${request.method}. It has ${allowed.join(', ')}.`,
      {
        allowed,
      },
    );
  }

  private methodsOf(path: string): string[] {
    const { router } = this.adapter.httpAdapter.getInstance<Express>();
    const methods = (router.stack as unknown as RouterLayer[])
      .filter(({ route }) => route !== undefined && !String(route.path).includes('*'))
      .filter((layer) => layer.match(path))
      .flatMap(({ route }) => Object.keys(route?.methods ?? {}));
    const names = new Set(methods.map((method) => method.toUpperCase()));
    if (names.has('GET')) names.add('HEAD');
    return [...names].sort();
  }
}
