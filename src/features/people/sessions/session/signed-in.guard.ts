import {
  createParamDecorator,
  Injectable,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request } from 'express';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { SessionsRepository, type Session } from './sessions.repository.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** Set on {@link SignedIn} routes. */
    session?: Session;
  }
}

/** Requires a session. */
@Injectable()
export class SignedInGuard implements CanActivate {
  constructor(private readonly sessions: SessionsRepository) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const session = await this.sessions.findByRequest(request);
    if (!session) throw notSignedIn();
    request.session = session;
    return true;
  }
}

export function notSignedIn(): AppError {
  return new AppError(
    'unauthorized',
    'You are not signed in, or your session has ended. Sign in again.',
  );
}

/** Restricts a route to signed-in people. Its module must import SessionsModule. */
export const SignedIn = () => UseGuards(SignedInGuard);

/** Injects the session. Only for {@link SignedIn} routes. */
export const CurrentSession = createParamDecorator(
  (_: unknown, context: ExecutionContext): Session => {
    const { session } = context.switchToHttp().getRequest<Request>();
    if (!session) throw new Error('CurrentSession needs a @SignedIn() route.');
    return session;
  },
);
