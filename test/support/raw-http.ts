import { connect, type Socket } from 'node:net';
import { once } from 'node:events';

export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Sends raw bytes on a separate connection, optionally closes its writing half, and reads until the peer closes. */
export async function sendRaw(
  port: number,
  bytes: string | Buffer,
  options: { end?: boolean } = {},
): Promise<RawResponse> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  socket.write(bytes);
  if (options.end) socket.end();
  await once(socket, 'close');
  const [head = '', ...rest] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, body: rest.join('\r\n\r\n') };
}

/** A connection that stays open, sends what a test says, and reads only on request. */
export class RawConnection {
  private received = '';

  private constructor(readonly socket: Socket) {
    // Such tests are about sockets that the service closes midway.
    socket.on('error', () => undefined);
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  send(bytes: string | Buffer): this {
    this.socket.write(bytes);
    return this;
  }

  /** Starts reading. */
  listen(): this {
    this.socket.on('data', (chunk: Buffer) => (this.received += chunk.toString('latin1')));
    return this;
  }

  /** The text read so far. */
  get text(): string {
    return this.received;
  }

  /** The statuses of the responses read so far. */
  get statuses(): number[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
  }

  close(): void {
    this.socket.destroy();
  }
}
