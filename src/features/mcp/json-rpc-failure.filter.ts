import { Catch, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { failureBody } from '../../platform/http/envelope/envelope.js';
import { FailureFilter } from '../../platform/http/envelope/failure.filter.js';
import type { AppError } from '../../platform/basics/errors/app-error.js';

/** A code that JSON-RPC reserves for servers. `data` and the status contain the kind of failure. */
const SERVER_ERROR = -32_000;

/** Formats failures that occur before a message is read, such as a missing key or a rate limit, as JSON-RPC errors. */
@Catch()
@Injectable()
export class JsonRpcFailureFilter extends FailureFilter {
  protected override bodyOf(error: AppError, { requestId }: Request): string {
    const failure = JSON.parse(failureBody(error)) as object;
    return JSON.stringify({
      jsonrpc: '2.0',
      id: null,
      error: { code: SERVER_ERROR, message: error.message, data: { ...failure, requestId } },
    });
  }
}
