import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** The last message of a PostgreSQL response, outside a transaction. */
const READY_FOR_QUERY = Buffer.from('Z\0\0\0\x05I');

/** What a server that shuts down sends on each connection before closing it. */
const ADMIN_SHUTDOWN = errorResponse({
  S: 'FATAL',
  V: 'FATAL',
  C: '57P01',
  M: 'terminating connection due to administrator command',
});

/** A proxy in front of PostgreSQL that can make the server appear to shut down at the very end of a response. */
export class FatalProxy {
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((client) => {
    this.accept(client);
  });
  private due = false;

  private constructor(private readonly target: URL) {}

  static async start(databaseUrl: string): Promise<FatalProxy> {
    const proxy = new FatalProxy(new URL(databaseUrl));
    await once(proxy.server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  /** The database's URL through the proxy. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  /** True if the last {@link shutDownAfterAnswer} has happened. */
  get isDone(): boolean {
    return !this.due;
  }

  /** Appends the FATAL message of a shutdown to the next response, in the same read, and closes the connection. */
  shutDownAfterAnswer(): void {
    this.due = true;
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private accept(client: Socket): void {
    const server = connect(Number(this.target.port), this.target.hostname);
    client.pipe(server);
    server.on('data', (bytes) => {
      if (!this.due || !isEndOfAnswer(bytes)) {
        client.write(bytes);
        return;
      }
      this.due = false;
      client.end(Buffer.concat([bytes, ADMIN_SHUTDOWN]));
      server.destroy();
    });
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        // What was written to a client just before must still arrive.
        if (socket === client) other.destroy();
        else other.end();
      });
    }
  }
}

/** The end of the handshake does not count as a response. */
function isEndOfAnswer(bytes: Buffer): boolean {
  const isHandshake = bytes[0] === 'R'.charCodeAt(0);
  return !isHandshake && bytes.subarray(-READY_FOR_QUERY.length).equals(READY_FOR_QUERY);
}

function errorResponse(fields: Readonly<Record<string, string>>): Buffer {
  const text = Object.entries(fields)
    .map(([kind, value]) => `${kind}${value}\0`)
    .join('');
  const message = Buffer.from(`E\0\0\0\0${text}\0`);
  message.writeInt32BE(message.length - 1, 1);
  return message;
}
