import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** The part of a COMMIT to lose: the command, or the server's response. */
export type LostHalf = 'command' | 'answer';

/** PostgreSQL's message for the simple query COMMIT: type, length, text. */
const COMMIT = Buffer.from('Q\0\0\0\x0bCOMMIT\0');

/**
 * A proxy in front of PostgreSQL that loses one half of the next COMMIT, so that a test can stop a service at exactly
 * that point.
 */
export class CommitProxy {
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((client) => {
    this.accept(client);
  });
  private losing: LostHalf | undefined;
  private onLoss: (() => void) | undefined;

  private constructor(private readonly target: URL) {}

  static async start(databaseUrl: string): Promise<CommitProxy> {
    const proxy = new CommitProxy(new URL(databaseUrl));
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

  /** Loses this half of the next COMMIT, and resolves when that has happened. Its connection stays silent afterwards. */
  lose(half: LostHalf): Promise<void> {
    this.losing = half;
    return new Promise((resolve) => (this.onLoss = resolve));
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private accept(client: Socket): void {
    const server = connect(Number(this.target.port), this.target.hostname);
    let lost: LostHalf | undefined;
    client.on('data', (bytes) => {
      if (this.losing && bytes.includes(COMMIT)) {
        [lost, this.losing] = [this.losing, undefined];
        this.onLoss?.();
      }
      if (lost !== 'command') server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (!lost) client.write(bytes);
    });
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
    }
  }
}
