import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { GuardedFetch } from './guarded-fetch.js';
import { ResponseLimitError } from './response-limits.js';

const MAX_RESPONSE_BYTES = 64 * 1024;

let server: Server;
let guarded: GuardedFetch;
let respond: (socket: Socket) => unknown;
beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => respond(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  guarded = new GuardedFetch({
    isAllowed: () => true,
    connectTimeoutMs: 10_000,
    maxResponseBytes: MAX_RESPONSE_BYTES,
  });
});
afterAll(async () => {
  await guarded.close();
  server.close();
});

async function responseText(): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const response = await guarded.fetch(`http://127.0.0.1:${String(port)}/`, {
    method: 'POST',
    body: '{}',
    signal: AbortSignal.timeout(20_000),
  });
  return response.text();
}

/** Writes as fast as the other side reads, until it has closed the connection. */
function flood(socket: Socket, block: string): void {
  const write = () => {
    while (!socket.destroyed && socket.write(block));
  };
  socket.on('drain', write);
  write();
}

describe('a guarded fetch', () => {
  it.each([
    ['early hints', '', 'HTTP/1.1 103 X\r\nlink: </a>\r\n\r\n'],
    ['a reason phrase', 'HTTP/1.1 200 ', 'x'],
    ['a chunk extension', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;', 'x'],
  ])('rejects a response with endless %s', async (_, start, part) => {
    respond = (socket) => {
      socket.write(start);
      flood(socket, part.repeat(16_384));
    };
    const error: unknown = await responseText().catch((reason: unknown) => reason);
    expect((error as Error).cause).toBeInstanceOf(ResponseLimitError);
  });

  it('reads a response after early hints, with its headers', async () => {
    respond = (socket) =>
      socket.end(
        `${'HTTP/1.1 103 X\r\nlink: </a>\r\n\r\n'.repeat(8)}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`,
      );
    expect(await responseText()).toBe('ok');
  });

  it('reads a response of tiny chunks up to its limit', async () => {
    const chunks = '4\r\nabcd\r\n'.repeat(MAX_RESPONSE_BYTES / 4);
    respond = (socket) =>
      socket.end(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`);
    expect(await responseText()).toHaveLength(MAX_RESPONSE_BYTES);
  });
});
