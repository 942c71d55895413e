import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A request that a receiver got. */
export interface Received {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** The bytes, and their parsed form. */
  bytes: Buffer;
  text: string;
  event: any;
  /** Milliseconds on the monotonic clock. */
  at: number;
}

/** What the receiver does after it has read a request. */
export type Behaviour = (received: Received, response: Parameters<RequestListener>[1]) => unknown;

/** A real HTTP server that records what it receives. Responds with 204 by default. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  /** Requests without a complete response: now, and the maximum so far. */
  underWay = 0;
  mostUnderWay = 0;
  private readonly waiting = new Set<() => void>();

  private constructor(
    private readonly server: Server,
    private behaviour: Behaviour,
  ) {}

  static async start(behaviour: Behaviour = respondWith(204), port = 0): Promise<WebhookReceiver> {
    const server = createServer((request, response) => {
      void receiver.take(request, response);
    });
    const receiver = new WebhookReceiver(server, behaviour);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    // A test that fails before it closes its receiver must not keep the run from ending.
    server.unref().on('connection', (socket) => socket.unref());
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${String(this.port)}/webhooks`;
  }

  behave(behaviour: Behaviour): void {
    this.behaviour = behaviour;
  }

  /** Resolves when `condition` holds, which is checked after each request. Fails after `withinMs`. */
  async until(condition: () => boolean, withinMs = 60_000): Promise<void> {
    const end = performance.now() + withinMs;
    while (!condition()) {
      const left = end - performance.now();
      if (left <= 0) {
        throw new Error(
          `The condition did not hold within ${String(withinMs)} ms; got ${String(this.received.length)}.`,
        );
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.waiting.add(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  /** Resolves with everything received once there are at least `count` requests. */
  async gets(count: number, withinMs?: number): Promise<Received[]> {
    await this.until(() => this.received.length >= count, withinMs);
    return this.received;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: Parameters<RequestListener>[1]) {
    this.underWay += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    response.on('close', () => (this.underWay -= 1));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const received: Received = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers as Record<string, string>,
      bytes,
      text: bytes.toString(),
      event: JSON.parse(bytes.toString()),
      at: performance.now(),
    };
    this.received.push(received);
    await this.behaviour(received, response);
    for (const look of this.waiting) look();
    this.waiting.clear();
  }
}

/** Sends this response to every request. */
export function respondWith(
  status: number,
  headers: Record<string, string> = {},
  body = '',
): Behaviour {
  return (_, response) => {
    response.writeHead(status, headers).end(body);
  };
}

/** Reads the request and never responds. */
export const hang: Behaviour = () => undefined;

/** Uses each behavior once, in order, then repeats the last one. */
export function inTurn(...behaviours: [Behaviour, ...Behaviour[]]): Behaviour {
  let turn = 0;
  return (received, response) =>
    (behaviours[Math.min(turn++, behaviours.length - 1)] ?? behaviours[0])(received, response);
}
