import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { AppError } from '../../../platform/basics/errors/app-error.js';

/** Refuses keys and tokens: only a signed-in person can decide what an app gets. */
@Injectable()
export class SignedInPeopleGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.switchToHttp().getRequest<Request>().principal?.kind !== 'person') {
      throw keysNotAllowed();
    }
    return true;
  }
}

export function keysNotAllowed(): AppError {
  return new AppError(
    'forbidden',
    'Only a signed-in person can connect apps, in the dashboard. An API key or a token cannot.',
  );
}
