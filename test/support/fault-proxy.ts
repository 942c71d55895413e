import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** What happens to a request instead of forwarding it, or afterwards. */
export type Fault =
  | { status: number; headers?: Record<string, string>; body?: string }
  /** The connection is reset before the request reaches the service. */
  | 'reset'
  /** The service does its work, and the response is lost. */
  | 'lose-answer'
  /** The service does its work, and the connection closes in the middle of the response. */
  | 'cut-answer'
  /** There is never a response. */
  | 'stall'
  | 'forward';

export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  /** `Date.now()` on arrival. */
  at: number;
}

/** A proxy in front of the service. Each fault applies to one request, in order. All other requests are forwarded. */
export class FaultProxy {
  readonly seen: SeenRequest[] = [];
  private faults: Fault[] = [];
  private readonly server = createServer((incoming, outgoing) => {
    this.respond(incoming, outgoing);
  });

  private constructor(private readonly target: string) {}

  static async start(target: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(target);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get origin(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  /** Forgets earlier requests, and applies the faults to the next ones. */
  fail(...faults: Fault[]): void {
    this.seen.length = 0;
    this.faults = faults;
  }

  /** Resets all open connections. */
  cut(): void {
    this.server.closeAllConnections();
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private respond(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method = '', url = '', headers } = incoming;
    this.seen.push({ method, path: url, headers, at: Date.now() });
    const fault = this.faults.shift() ?? 'forward';
    if (fault === 'stall') incoming.resume();
    else if (fault === 'reset') incoming.socket.resetAndDestroy();
    else if (typeof fault === 'object') {
      incoming.resume().on('end', () => {
        outgoing.writeHead(fault.status, fault.headers).end(fault.body);
      });
    } else this.forward(incoming, outgoing, fault);
  }

  private forward(incoming: IncomingMessage, outgoing: ServerResponse, fault: Fault): void {
    const { method, url = '', headers, socket } = incoming;
    const forwarded = request(`${this.target}${url}`, { method, headers }, (response) => {
      if (fault === 'lose-answer') response.resume().on('end', () => socket.resetAndDestroy());
      else if (fault === 'cut-answer') {
        outgoing.writeHead(response.statusCode ?? 500, response.headers);
        outgoing.write('{"success"', () => response.resume().on('end', () => socket.destroy()));
      } else {
        outgoing.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(outgoing);
      }
    });
    forwarded.on('error', () => socket.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  }
}
