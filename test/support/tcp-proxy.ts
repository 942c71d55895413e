import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { freePort } from '@document-service/embedded-postgres/free-port';

/** A TCP proxy that a test can cut and restore, to lose a server without stopping it. */
export class TcpProxy {
  private server: Server | undefined;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly targetPort: number,
    private readonly targetHost: string,
    readonly port: number,
  ) {}

  static async start(targetPort: number, targetHost: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(targetPort, targetHost, await freePort());
    await proxy.restore();
    return proxy;
  }

  /** Listens again on the same port. */
  async restore(): Promise<void> {
    const server = createServer((client) => {
      const target = connect(this.targetPort, this.targetHost);
      for (const [socket, other] of [
        [client, target],
        [target, client],
      ] as const) {
        this.sockets.add(socket);
        socket.on('error', () => other.destroy());
        socket.on('close', () => {
          this.sockets.delete(socket);
          other.destroy();
        });
      }
      client.pipe(target).pipe(client);
    });
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    this.server = server;
  }

  /** Stops forwarding on existing connections without closing them. */
  silence(): void {
    for (const socket of this.sockets) socket.pause();
  }

  /** Resets every connection and refuses new ones. */
  async cut(): Promise<void> {
    const { server } = this;
    if (!server) return;
    this.server = undefined;
    const closed = once(server, 'close');
    server.close();
    for (const socket of this.sockets) socket.resetAndDestroy();
    await closed;
  }

  close(): Promise<void> {
    return this.cut();
  }
}
