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
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Request, Response } from 'express';
import { Public } from '../access/auth/authentication.js';
import { Config } from '../../platform/config/config.js';
import { WithoutBody } from '../../platform/http/bodies/json-body-reader.js';
import { AnyFields } from '../../platform/http/envelope/unknown-fields.js';
import { AppError, invalidFields } from '../../platform/basics/errors/app-error.js';
import { Log } from '../../platform/operation/log.js';
import { Api } from './api.js';
import { InProcessApi } from './in-process-api.js';
import { JsonRpcFailureFilter } from './json-rpc-failure.filter.js';
import { createMcpServer } from './mcp-server.js';

/** Headers that the transport reads. */
const READ_BY_TRANSPORT = ['accept', 'content-type', 'mcp-protocol-version'] as const;

/**
 * Refuses pages of other sites in a browser (DNS rebinding: their `Origin` and `Host` may both be of the attacker), and
 * what a POST to the API may say and this one cannot hold.
 */
@Injectable()
class McpRequestGuard implements CanActivate {
  constructor(private readonly config: Config) {}

  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<Request>();
    if (headers.origin !== undefined && !this.mayAsk(headers.origin)) {
      throw new AppError(
        'forbidden',
        'Pages of this origin may not use /mcp. Add it to CORS_ORIGINS, or ask without a browser.',
        { field: 'Origin', issue: 'is neither the origin of PUBLIC_URL nor one of CORS_ORIGINS' },
      );
    }
    if (headers['idempotency-key'] !== undefined) {
      const issue = 'has no effect here; tools that create take the argument idempotencyKey';
      throw invalidFields([{ field: 'Idempotency-Key', issue }]);
    }
    return true;
  }

  private mayAsk(origin: string): boolean {
    const { corsOrigins, publicUrl } = this.config;
    if (corsOrigins.includes('*') || corsOrigins.includes(origin)) return true;
    return publicUrl !== undefined && new URL(publicUrl).origin === origin;
  }
}

/**
 * The Model Context Protocol over Streamable HTTP, without sessions: each message is a POST of its own and is answered by
 * JSON, so that any replica answers it. See docs/adr/0007-one-api-for-keys-people-and-mcp.md.
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
    const gone = new AbortController();
    response.on('close', () => {
      gone.abort();
    });
    const api = new Api(this.api.sendFor(request), gone.signal);
    const server = createMcpServer(api, (error) => {
      this.log.error({ requestId: request.requestId, err: error }, 'a tool failed');
    });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    try {
      await server.connect(transport);
      const message = new globalThis.Request('http://localhost/mcp', {
        method: 'POST',
        headers: readByTransport(request),
      });
      const answer = await Promise.race([
        transport.handleRequest(message, { parsedBody: request.body as unknown }),
        aborted(gone.signal),
      ]);
      if (answer) await write(answer, response);
    } finally {
      await server.close();
    }
  }

  /** Without sessions there is no stream to open and none to end. */
  @All()
  @Public()
  @WithoutBody()
  refuse(@Req() { method }: Request, @Res({ passthrough: true }) response: Response): never {
    response.setHeader('Allow', 'POST');
    throw new AppError(
      'method_not_allowed',
      `/mcp has no ${method}. Send each message of the Model Context Protocol by POST; there are no sessions and no stream of the server's own.`,
      { allowed: ['POST'] },
    );
  }
}

function readByTransport({ headers }: Request): Record<string, string> {
  const read: Record<string, string> = {};
  for (const name of READ_BY_TRANSPORT) {
    const value = headers[name];
    if (value !== undefined) read[name] = String(value);
  }
  return read;
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      resolve(undefined);
    });
  });
}

async function write(answer: globalThis.Response, response: Response): Promise<void> {
  const body = await answer.text();
  response.status(answer.status);
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  response.end(body);
}
