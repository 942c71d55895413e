import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Which half of a COMMIT gets lost: the command, or the server's answer to it. */
export type LostHalf = 'command' | 'answer';

/** PostgreSQL's message for the simple query COMMIT: its kind, its length, its text. */
const COMMIT = Buffer.from('Q\0\0\0\x0bCOMMIT\0');

/** A proxy before PostgreSQL that loses one half of the next COMMIT, to stop a service at that very point. */
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

  /** The database as it is reached through the proxy. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  /** Loses that half of the next COMMIT; resolves when it came by. Its connection says nothing more. */
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
