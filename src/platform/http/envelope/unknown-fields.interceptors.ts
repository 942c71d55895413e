import {
  Injectable,
  SetMetadata,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { invalidFields } from '../../basics/errors/app-error.js';
import { isObject } from '../bodies/json-text.js';
import { hasBodyParameter, hasQueryParameter } from '../route-parameters.js';
import { unknownNameIssue } from './nearest-name.js';

const ANY_FIELDS = 'any fields';

/** Marks a route that ignores unknown fields, because probes and browsers add their own. */
export const AnyFields = () => SetMetadata(ANY_FIELDS, true);

/** Maximum number of fields in an error. */
const MAX_NAMED = 100;

/**
 * Refuses query parameters on routes without `@Query()`. On the others, the validation pipe refuses unknown parameters;
 * without this, a client would not notice that a parameter has no effect.
 */
@Injectable()
export class UnknownQueryInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  /** Throws `bad_request`, which names the parameters. */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { url, query } = context.switchToHttp().getRequest<Request>();
    if (
      url.includes('?') &&
      !hasQueryParameter(context) &&
      !takesAnyFields(context, this.reflector)
    ) {
      refuse(Object.keys(query));
    }
    return next.handle();
  }
}

/** Refuses fields in bodies on routes without `@Body()`, like {@link UnknownQueryInterceptor}. */
@Injectable()
export class UnknownBodyInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  /** Throws `bad_request`, which names the fields. */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const body: unknown = context.switchToHttp().getRequest<Request>().body;
    if (isObject(body) && !hasBodyParameter(context) && !takesAnyFields(context, this.reflector)) {
      refuse(Object.keys(body));
    }
    return next.handle();
  }
}

function takesAnyFields(context: ExecutionContext, reflector: Reflector): boolean {
  const targets = [context.getHandler(), context.getClass()];
  return reflector.getAllAndOverride<boolean | undefined>(ANY_FIELDS, targets) === true;
}

function refuse(names: readonly string[]): void {
  const [first, ...rest] = names
    .slice(0, MAX_NAMED)
    .map((field) => ({ field, issue: unknownNameIssue(field, []) }));
  if (first) throw invalidFields([first, ...rest]);
}
