import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Request, Response } from 'express';
import { Api, type Send } from './api.js';
import { createMcpServer } from './mcp-server.js';

/** Headers that the transport reads. */
const READ_BY_TRANSPORT = ['accept', 'content-type', 'mcp-protocol-version'] as const;

/** Handles one message, unless the client disconnects. `onError` receives the errors of tools. */
export async function answerMessage(
  request: Request,
  response: Response,
  send: Send,
  onError: (error: unknown) => void,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => {
    gone.abort();
  });
  const server = createMcpServer(new Api(send, gone.signal), onError);
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
