import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';

/** Returns true if the route's handler has a parameter with `@Query()`. */
export const hasQueryParameter = (context: ExecutionContext) =>
  hasParameter(context, RouteParamtypes.QUERY);

/** Returns true if the route's handler has a parameter with `@Body()`. */
export const hasBodyParameter = (context: ExecutionContext) =>
  hasParameter(context, RouteParamtypes.BODY);

/** Nest stores the decorated parameters of a handler as `kind:position`. */
function hasParameter(context: ExecutionContext, kind: RouteParamtypes): boolean {
  const { name } = context.getHandler();
  const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), name) as
    object | undefined;
  return Object.keys(parameters ?? {}).some((key) => key.startsWith(`${String(kind)}:`));
}
