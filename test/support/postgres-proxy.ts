import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy in front of PostgreSQL. Subclasses decide what it forwards. */
export abstract class PostgresProxy {
  private readonly target: URL;
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((client) => {
    this.accept(client);
  });

  constructor(databaseUrl: string) {
    this.target = new URL(databaseUrl);
  }

  /** Resolves when the proxy accepts connections. */
  async start(): Promise<this> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return this;
  }

  /** The database's URL through the proxy. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  protected abstract forward(client: Socket, server: Socket): void;

  private accept(client: Socket): void {
    const server = connect(Number(this.target.port), this.target.hostname);
    this.forward(client, server);
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
