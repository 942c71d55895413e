import {
  All,
  Controller,
  Injectable,
  Post,
  Req,
  Res,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../auth/authentication.js';
import { Config } from '../../platform/config/config.js';
import { WithoutBody } from '../../platform/http/bodies/json-body-reader.js';
import { AnyFields } from '../../platform/http/envelope/unknown-fields.interceptors.js';
import { AppError, invalidFields } from '../../platform/basics/errors/app-error.js';
import { Log } from '../../platform/operation/log.js';
import { answerMessage } from './answer-message.js';
import { InProcessApi } from './in-process-api.js';
import { JsonRpcFailureFilter } from './json-rpc-failure.filter.js';

/**
 * Rejects browser requests from other sites, and API headers that have no effect here. In DNS rebinding, the attacker
 * controls both `Origin` and `Host`.
 */
@Injectable()
class McpRequestGuard implements CanActivate {
  constructor(private readonly config: Config) {}

  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<Request>();
    if (headers.origin !== undefined && !this.isAllowed(headers.origin)) {
      throw new AppError(
        'forbidden',
        'Pages of this origin cannot use /mcp. Add the origin to CORS_ORIGINS, or send the request outside a browser.',
        { field: 'Origin', issue: 'is neither the origin of PUBLIC_URL nor in CORS_ORIGINS' },
      );
    }
    if (headers['idempotency-key'] !== undefined) {
      const issue = 'has no effect here; use the argument idempotencyKey of the tools that create';
      throw invalidFields([{ field: 'Idempotency-Key', issue }]);
    }
    return true;
  }

  private isAllowed(origin: string): boolean {
    const { corsOrigins, publicUrl } = this.config;
    if (corsOrigins.includes('*') || corsOrigins.includes(origin)) return true;
    return publicUrl !== undefined && new URL(publicUrl).origin === origin;
  }
}

/**
 * The Model Context Protocol over Streamable HTTP, without sessions: each message is a separate POST with a JSON response,
 * so any replica can handle it. See docs/adr/0007-one-api-for-keys-people-and-mcp.md.
 */
@Controller({ path: 'mcp', version: VERSION_NEUTRAL })
@ApiExcludeController()
@AnyFields()
@UseGuards(McpRequestGuard)
@UseFilters(JsonRpcFailureFilter)
export class McpController {
  constructor(
    private readonly api: InProcessApi,
    private readonly log: Log,
  ) {}

  @Post()
  async answer(@Req() request: Request, @Res() response: Response): Promise<void> {
    await answerMessage(request, response, this.api.sendFor(request), (error) => {
      this.log.error({ requestId: request.requestId, err: error }, 'a tool failed');
    });
  }

  /** There are no sessions, so there are no streams to open or close. */
  @All()
  @Public()
  @WithoutBody()
  refuse(@Req() { method }: Request, @Res({ passthrough: true }) response: Response): never {
    response.setHeader('Allow', 'POST');
    throw methodNotAllowed(method);
  }
}

function methodNotAllowed(method: string): AppError {
  return new AppError(
    'method_not_allowed',
    `/mcp does not support ${method}. Send each Model Context Protocol message with POST; there are no sessions and no server streams.`,
    { allowed: ['POST'] },
  );
}
