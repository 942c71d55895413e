import { Injectable, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { invalidFields } from '../../basics/errors/app-error.js';
import { isObject } from '../bodies/json-text.js';
import { unknownNameIssue } from './nearest-name.js';

const ANY_FIELDS = 'any fields';

/** Marks a route that ignores unknown fields, because probes and browsers add their own. */
export const AnyFields = () => SetMetadata(ANY_FIELDS, true);

/** Where a route takes fields from. */
interface Taken {
  query: boolean;
  body: boolean;
}

/** Maximum number of fields in an error. */
const MAX_NAMED = 100;

/**
 * Refuses fields on routes without a DTO. With a DTO, the validation pipe does this; without one, a client would not
 * notice that a field has no effect.
 */
@Injectable()
export class UnknownFields {
  private readonly taken = new WeakMap<object, Taken>();

  constructor(private readonly reflector: Reflector) {}

  /** Throws `bad_request` for a query if the route takes none. */
  refuseQuery(context: ExecutionContext, request: Request): void {
    if (!request.url.includes('?') || this.takenBy(context).query) return;
    refuse(Object.keys(request.query));
  }

  /** Throws `bad_request` for fields in a body if the route takes none. */
  refuseBody(context: ExecutionContext, request: Request): void {
    const body: unknown = request.body;
    if (!isObject(body) || this.takenBy(context).body) return;
    refuse(Object.keys(body));
  }

  private takenBy(context: ExecutionContext): Taken {
    const handler = context.getHandler();
    let taken = this.taken.get(handler);
    if (!taken) {
      const any = this.reflector.getAllAndOverride<boolean | undefined>(ANY_FIELDS, [
        handler,
        context.getClass(),
      ]);
      const takes = (kind: RouteParamtypes) => any === true || hasParameter(context, kind);
      taken = { query: takes(RouteParamtypes.QUERY), body: takes(RouteParamtypes.BODY) };
      this.taken.set(handler, taken);
    }
    return taken;
  }
}

/** Nest stores the parameters of a handler as `kind:place`. */
function hasParameter(context: ExecutionContext, kind: RouteParamtypes): boolean {
  const { name } = context.getHandler();
  const noted = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), name) as
    object | undefined;
  return Object.keys(noted ?? {}).some((key) => key.startsWith(`${String(kind)}:`));
}

function refuse(names: readonly string[]): void {
  const [first, ...rest] = names
    .slice(0, MAX_NAMED)
    .map((field) => ({ field, issue: unknownNameIssue(field, []) }));
  if (first) throw invalidFields([first, ...rest]);
}
