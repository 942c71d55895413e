import { All, Controller, Module, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Express, Request, Response } from 'express';
import { OptionalAuthentication } from '../../features/auth/auth.decorators.js';
import { Reach } from '../../features/auth/access/reach.decorators.js';
import { AppError } from '../../platform/basics/errors/app-error.js';
import { WithoutBody } from '../../platform/http/bodies/json-body-reader.js';
import { AnyFields } from '../../platform/http/envelope/unknown-fields.interceptors.js';

/** The part of Express' router that lists the routes. */
interface Layer {
  route?: { path: unknown; methods: Record<string, boolean> };
  match(path: string): boolean;
}

const CATCH_ALL = '/{*path}';

/**
 * Handles every unknown path. It is a route so that the guards run: requests with a key count against their limits and
 * get the limit headers.
 */
@Controller({ version: VERSION_NEUTRAL })
@ApiExcludeController()
class UnknownRoutesController {
  constructor(private readonly adapter: HttpAdapterHost) {}

  /**
   * Responds to OPTIONS with the methods of the path. Throws `method_not_allowed` for other methods, and `not_found` for
   * an unknown path.
   */
  @All('{*path}')
  @OptionalAuthentication()
  @Reach('none', { browser: true })
  @WithoutBody()
  @AnyFields()
  refuse(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): { allowed: string[] } {
    const express = this.adapter.httpAdapter.getInstance<Express>();
    const allowed = methodsOf(express, request.path);
    if (allowed.length === 0) throw noSuchPath(request.path, layersOf(express));
    response.setHeader('Allow', allowed.join(', '));
    if (request.method === 'OPTIONS') return { allowed };
    throw new AppError(
      'method_not_allowed',
      `This path does not support ${request.method}. It supports ${allowed.join(', ')}.`,
      { allowed },
    );
  }
}

/**
 * Moves the catch-all route behind all others. Nest registers routes in the order of modules, which changes with each
 * new module.
 */
export function placeUnknownRoutesLast(app: NestExpressApplication): void {
  const stack = layersOf(app.getHttpAdapter().getInstance());
  const found = stack.findIndex(({ route }) => route?.path === CATCH_ALL);
  if (found === -1) return;
  const [catchAll] = stack.splice(found, 1);
  const lastRoute = stack.findLastIndex(({ route }) => route !== undefined);
  if (catchAll) stack.splice(lastRoute + 1, 0, catchAll);
}

/** Returns the methods of a path in alphabetical order, or an empty list for an unknown path. */
function methodsOf(express: Express, path: string): string[] {
  const methods = layersOf(express)
    .filter(({ route }) => route !== undefined && route.path !== CATCH_ALL)
    .filter((layer) => layer.match(path))
    .flatMap(({ route }) => Object.keys(route?.methods ?? {}));
  const names = new Set(methods.map((method) => method.toUpperCase()));
  if (names.has('GET')) names.add('HEAD');
  return [...names].sort();
}

function noSuchPath(path: string, layers: readonly Layer[]): AppError {
  const given = path.split('/').filter(Boolean);
  const paths = [...pathsOf(layers), '/dashboard'];
  const respelled = routeFor(given, paths);
  const inApi = routeFor(['v1', ...withoutApiPrefix(given)], paths);
  const hint =
    respelled !== undefined
      ? `Did you mean ${respelled}? Paths are case-sensitive and end without a slash.`
      : inApi !== undefined
        ? `Did you mean ${inApi}? Paths of the API start with /v1.`
        : 'The API is described at /docs, and for programs at /v1/openapi.json.';
  return new AppError('not_found', `This path does not exist. ${hint}`);
}

function pathsOf(layers: readonly Layer[]): string[] {
  return layers.flatMap(({ route }) => (typeof route?.path === 'string' ? [route.path] : []));
}

/** Returns `documents` for `api/v2/documents`. */
function withoutApiPrefix(parts: readonly string[]): string[] {
  const start = parts.findIndex((part) => !/^(?:api|rest|v\d+)$/i.test(part));
  return start === -1 ? [] : parts.slice(start);
}

/** Returns the route with these segments in any case: `/v1/documents/{id}` for `v1`, `Documents`, `doc_01`. */
function routeFor(given: readonly string[], paths: readonly string[]): string | undefined {
  const [right] = paths
    .map((path) => path.split('/').slice(1))
    .filter(
      (parts) =>
        parts.length === given.length &&
        parts.every((part, at) => isParameter(part) || part === given[at]?.toLowerCase()),
    )
    .sort((one, other) => one.filter(isParameter).length - other.filter(isParameter).length);
  return right?.map((part) => `/${isParameter(part) ? `{${part.slice(1)}}` : part}`).join('');
}

function isParameter(part: string): boolean {
  return part.startsWith(':');
}

function layersOf(express: Express): Layer[] {
  return express.router.stack as unknown as Layer[];
}

@Module({ controllers: [UnknownRoutesController] })
export class UnknownRoutesModule {}
