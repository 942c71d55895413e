import { Injectable, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { invalidFields } from '../../basics/errors/app-error.js';
import { isObject } from '../bodies/json-text.js';
import { unknownNameIssue } from './nearest-name.js';

const ANY_FIELDS = 'any fields';

/** The route ignores what it does not know: probes and browsers add things of their own. */
export const AnyFields = () => SetMetadata(ANY_FIELDS, true);

/** What a route takes fields from. */
interface Taken {
  query: boolean;
  body: boolean;
}

/** Most fields that are named. */
const MAX_NAMED = 100;

/**
 * Refuses fields that a route has no DTO for. Where there is a DTO, the validation pipe does; without one nobody would
 * notice that what a client asked for has no effect.
 */
@Injectable()
export class UnknownFields {
  private readonly taken = new WeakMap<object, Taken>();

  constructor(private readonly reflector: Reflector) {}

  /** Throws `bad_request` for a query where none is taken. */
  refuseQuery(context: ExecutionContext, request: Request): void {
    if (!request.url.includes('?') || this.takenBy(context).query) return;
    refuse(Object.keys(request.query));
  }

  /** Throws `bad_request` for fields of a body where none is taken. */
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

/** Nest notes the parameters of a handler by `kind:place`. */
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
