import {
  createParamDecorator,
  Injectable,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request } from 'express';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { SessionRepository, type Session } from './sessions.repository.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** Set on routes for {@link SignedIn} people. */
    session?: Session;
  }
}

/** Lets in who is signed in. */
@Injectable()
export class SignedInGuard implements CanActivate {
  constructor(private readonly sessions: SessionRepository) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const session = await this.sessions.of(request);
    if (!session) throw notSignedIn();
    request.session = session;
    return true;
  }
}

/** The answer to a request without a session in force, where one is needed. */
export function notSignedIn(): AppError {
  return new AppError(
    'unauthorized',
    'You are not signed in, or your session has ended. Sign in again.',
  );
}

/** The route is for people who are signed in. Its module imports SessionsModule. */
export const SignedIn = () => UseGuards(SignedInGuard);

/** The session of a route for {@link SignedIn} people. */
export const CurrentSession = createParamDecorator(
  (_: unknown, context: ExecutionContext): Session => {
    const { session } = context.switchToHttp().getRequest<Request>();
    if (!session)
      throw new Error('A route that is not for signed-in people asked for the session.');
    return session;
  },
);
