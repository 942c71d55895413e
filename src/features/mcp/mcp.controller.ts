import { once } from 'node:events';
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
import { Public } from '../auth/auth.decorators.js';
import { Reach } from '../auth/access/reach.decorators.js';
import { Config } from '../../platform/config/config.js';
import { WithoutBody } from '../../platform/http/bodies/json-body-reader.js';
import { AnyFields } from '../../platform/http/envelope/unknown-fields.interceptors.js';
import { AppError, invalidFields } from '../../platform/basics/errors/app-error.js';
import { Log } from '../../platform/operation/log.js';
import { Api } from './api.js';
import { InProcessApi } from './in-process-api.js';
import { JsonRpcFailureFilter } from './json-rpc-failure.filter.js';
import { createMcpServer } from './mcp-server.js';

/** Headers that the transport reads. */
const TRANSPORT_HEADERS = ['accept', 'content-type', 'mcp-protocol-version'] as const;

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
@Reach('none')
@UseFilters(JsonRpcFailureFilter)
export class McpController {
  constructor(
    private readonly api: InProcessApi,
    private readonly log: Log,
  ) {}

  /** Handles one message, unless the client disconnects. */
  @Post()
  async handle(@Req() request: Request, @Res() response: Response): Promise<void> {
    const disconnected = new AbortController();
    response.on('close', () => {
      disconnected.abort();
    });
    const { signal } = disconnected;
    const server = createMcpServer(
      new Api(this.api.sendFor(request), signal),
      (error) => {
        this.log.error({ requestId: request.requestId, err: error }, 'a tool failed');
      },
      () => request.principal?.scopes,
    );
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    try {
      await server.connect(transport);
      const message = new globalThis.Request('http://localhost/mcp', {
        method: 'POST',
        headers: transportHeaders(request),
      });
      const result = await Promise.race([
        transport.handleRequest(message, { parsedBody: request.body as unknown }),
        once(signal, 'abort'),
      ]);
      if (result instanceof globalThis.Response) await write(result, response);
    } finally {
      await server.close();
    }
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

function transportHeaders({ headers }: Request): Record<string, string> {
  const read: Record<string, string> = {};
  for (const name of TRANSPORT_HEADERS) {
    const value = headers[name];
    if (value !== undefined) read[name] = String(value);
  }
  return read;
}

async function write(result: globalThis.Response, response: Response): Promise<void> {
  const body = await result.text();
  response.status(result.status);
  for (const [name, value] of result.headers) response.setHeader(name, value);
  response.end(body);
}
