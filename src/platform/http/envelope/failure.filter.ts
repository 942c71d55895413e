import {
  Catch,
  HttpException,
  Injectable,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { Clock } from '../../basics/clock/clock.js';
import { AppError, type ErrorKind } from '../../basics/errors/app-error.js';
import { asUnavailable, isOfDeletedAccount } from '../../basics/errors/database-error.js';
import { Config } from '../../config/config.js';
import { Log } from '../../operation/log.js';
import { documentationOrigin } from '../public-origin.js';
import { ERROR_STATUS, failureEnvelope } from './envelope.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** The error in the response. */
    failure?: AppError;
  }
}

/** Turns errors into the failure envelope. An unknown error becomes a 500 without details. */
@Catch()
@Injectable()
export class FailureFilter implements ExceptionFilter {
  protected readonly contentType: string = 'application/json; charset=utf-8';

  constructor(
    private readonly clock: Clock,
    private readonly log: Log,
    protected readonly config: Config,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const error = this.adapted(asAppError(thrown));
    request.failure = error;
    // Log errors with a cause. Expected refusals, such as "not ready", concern only the client.
    if (error.cause !== undefined) {
      this.log.error({ requestId: request.requestId, err: error.cause }, error.message);
    }
    // Part of the response has been sent. Close the connection, so that the client notices the failure.
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (error.retryAfterSeconds !== undefined) {
      response.setHeader('Retry-After', String(error.retryAfterSeconds));
    }
    if (error.kind === 'unauthorized') {
      response.setHeader('WWW-Authenticate', this.challengeFor(request));
    }
    response.status(ERROR_STATUS[error.kind].status);
    response.setHeader('Content-Type', this.contentType);
    response.end(this.bodyOf(error, request));
  }

  /** Returns the error to respond with. */
  protected adapted(error: AppError): AppError {
    return error;
  }

  /** Returns the value of `WWW-Authenticate`, which tells clients how to authenticate. */
  protected challengeFor(_: Request): string {
    return 'Bearer realm="document-service"';
  }

  protected bodyOf(error: AppError, request: Request): string {
    const origin = documentationOrigin(request, this.config);
    return failureEnvelope(error, { requestId: request.requestId, now: this.clock.now(), origin });
  }
}

/** Kinds of framework errors by status; all others are malformed requests. */
const FRAMEWORK_KINDS: Readonly<Record<number, ErrorKind>> = {
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
};

function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const status = thrown instanceof HttpException ? thrown.getStatus() : clientErrorStatus(thrown);
  if (status !== undefined && status < 500) {
    return new AppError(
      FRAMEWORK_KINDS[status] ?? 'bad_request',
      'The request is malformed. Check its path and headers.',
    );
  }
  const unavailable = asUnavailable(thrown);
  if (unavailable) return unavailable;
  if (isOfDeletedAccount(thrown)) {
    return new AppError('unauthorized', 'The account was deleted while this request ran.');
  }
  return new AppError(
    'internal',
    'Something went wrong on our side. Try again; if it persists, report the request ID.',
    undefined,
    {
      cause: thrown,
    },
  );
}

/** Returns the 4xx status that Express sets for client errors, such as invalid percent-encoding in a path. */
function clientErrorStatus(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error)) return undefined;
  if (thrown instanceof URIError) return 400;
  const { status } = thrown as { status?: unknown };
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}
