import { once } from 'node:events';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import type { Scope } from '../auth/scopes.js';
import { OperatorError } from '../../platform/basics/errors/app-error.js';
import { Api, ApiFailure, Unreachable, type Send } from './api.js';
import { createMcpServer } from './mcp-server.js';

interface StdioOptions {
  /** Origin of the service, such as `http://localhost:3000`. */
  url: string;
  key: string;
}

/** The JSON-RPC code of a start that failed. The protocol leaves -32000 to -32099 to servers. */
const CANNOT_START = -32_010;

/** Failures that say nothing about the key. Tools report them if they persist. */
const TRANSIENT_STATUSES: readonly number[] = [429, 500, 503];

/**
 * Serves one client on standard input and output through the HTTP API. Resolves when the client disconnects. If `options`
 * rejects, the service does not respond or it refuses the key, the client gets the reason as the error of `initialize`, and
 * this rejects with it.
 */
export async function serveStdio(options: () => Promise<StdioOptions>): Promise<void> {
  const transport = new StdioServerTransport();
  let access: StdioOptions;
  try {
    access = await options();
  } catch (error) {
    await refuseFirstRequest(transport, error as Error);
    throw error;
  }
  const disconnected = new AbortController();
  const api = new Api(sendTo(access), disconnected.signal);
  let scopes: readonly Scope[] | undefined;
  const server = createMcpServer(api, report, () => scopes);
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
  });
  await server.connect(transport);
  const refused = checkedAtInitialize(transport, async () => {
    ({ scopes } = (await api.get<{ scopes: Scope[] }>('/me')).data);
  });
  // Requests read before the end of the input still get responses: the process exits when no work is left.
  const ended = once(process.stdin, 'end');
  process.stdout.once('error', () => {
    disconnected.abort();
    void server.close();
  });
  const reason = await Promise.race([refused, closed, ended]);
  if (!(reason instanceof Error)) return;
  await server.close();
  throw reason;
}

/** Runs `check` before the server gets `initialize`. If it fails, refuses the request and resolves with the reason. */
function checkedAtInitialize(
  transport: StdioServerTransport,
  check: () => Promise<unknown>,
): Promise<OperatorError> {
  const serve = transport.onmessage?.bind(transport);
  return new Promise((resolve) => {
    transport.onmessage = (message: JSONRPCMessage) => {
      if (!isJSONRPCRequest(message) || !isInitializeRequest(message)) {
        serve?.(message);
        return;
      }
      const { id } = message;
      void check()
        .catch(startProblem)
        .then(async (problem) => {
          if (!(problem instanceof OperatorError)) {
            serve?.(message);
            return;
          }
          await refuse(transport, id, problem);
          resolve(problem);
        });
    };
  });
}

/** Returns why the server cannot start, or `undefined` if the failure may pass. */
function startProblem(error: unknown): OperatorError | undefined {
  if (error instanceof Unreachable) return new OperatorError(error.message);
  if (!(error instanceof ApiFailure)) throw error;
  if (TRANSIENT_STATUSES.includes(error.status)) return undefined;
  if (error.status === 404) {
    return new OperatorError(
      'The server at DOCUMENT_SERVICE_URL is not the Document Service. Set it to the address of the service, such as http://localhost:3000, in the settings of this MCP server.',
    );
  }
  if (error.status !== 401) return new OperatorError(error.message);
  return new OperatorError(
    'The Document Service refuses the API key: it is wrong, expired or revoked. Set DOCUMENT_SERVICE_KEY to an active key in the settings of this MCP server.',
  );
}

/** Responds to the first request of a client with the error. A terminal sends none. */
async function refuseFirstRequest(transport: StdioServerTransport, error: Error): Promise<void> {
  if (process.stdin.isTTY || process.stdin.readableEnded) return;
  await new Promise<void>((resolve, reject) => {
    transport.onmessage = (message: JSONRPCMessage) => {
      if (isJSONRPCRequest(message)) refuse(transport, message.id, error).then(resolve, reject);
    };
    process.stdin.once('end', resolve);
    transport.start().catch(reject);
  });
  await transport.close();
}

function refuse(transport: StdioServerTransport, id: RequestId, { message }: Error): Promise<void> {
  return transport.send({ jsonrpc: '2.0', id, error: { code: CANNOT_START, message } });
}

function sendTo({ url, key }: StdioOptions): Send {
  return async ({ method, path, headers, body, signal }) => {
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { ...headers, authorization: `Bearer ${key}`, 'user-agent': USER_AGENT },
        body: body ?? null,
        redirect: 'error',
        signal,
      });
      return { status: response.status, text: await response.text() };
    } catch (cause) {
      throw new Unreachable(
        `The Document Service does not respond at ${url}. Start it (npm start), or correct DOCUMENT_SERVICE_URL in the settings of this MCP server.`,
        { cause },
      );
    }
  };
}

/** Reports on standard error, because standard output carries the protocol. */
function report(error: unknown): void {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
}

const USER_AGENT = 'document-service-mcp';
