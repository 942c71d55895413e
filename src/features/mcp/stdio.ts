import { once } from 'node:events';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { Api, Unreachable, type Send } from './api.js';
import { createMcpServer } from './mcp-server.js';

interface StdioOptions {
  /** Origin of the service, such as `http://localhost:3000`. */
  url: string;
  key: string;
}

/** Serves one client on standard input and output through the HTTP API. Resolves when the client disconnects. */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const gone = new AbortController();
  const server = createMcpServer(new Api(sendTo(options), gone.signal), report);
  const transport = new StdioServerTransport();
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
  });
  await server.connect(transport);
  // Requests read before the end of the input still get responses: the process exits when no work is left.
  const ended = once(process.stdin, 'end');
  process.stdout.once('error', () => {
    gone.abort();
    void server.close();
  });
  await Promise.race([closed, ended]);
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
