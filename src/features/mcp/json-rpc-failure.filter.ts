import { Catch, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { failureBody } from '../../platform/http/envelope/envelope.js';
import { FailureFilter } from '../../platform/http/envelope/failure.filter.js';
import type { AppError } from '../../platform/basics/errors/app-error.js';

/** A code that JSON-RPC leaves to servers; the kind of failure is in `data`, and in the status. */
const SERVER_ERROR = -32_000;

/** Tells what fails before a message is read, such as a missing key or a full window, as MCP clients expect it. */
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
