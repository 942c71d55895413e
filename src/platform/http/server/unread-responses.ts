import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Log } from '../../operation/log.js';
import { clientNetwork } from '../../network/client-address.js';
import { Exchanges, type Exchange } from './exchanges.js';

/** Limits on responses that clients do not read. */
@Injectable()
export class UnreadLimits {
  /** Interval between two checks, in ms. */
  checkMs = 250;
  /** Time in which a client must read something, and additional time per unread byte. */
  graceMs = 30_000;
  bytesPerSecond = 16 * 1024;
  /** Maximum unread bytes of the process. */
  bytes = 64 * 1024 ** 2;
}

/** A response that its client has not read completely. */
interface Unread {
  exchange: Exchange;
  /** Bytes in memory; a write counts until its last byte has been sent. */
  bytes: number;
  /** Bytes that the connection has sent. */
  taken: number;
  /** Number of checks since the last completed write. */
  checks: number;
}

/**
 * Closes the connections of clients that do not read their responses, on every route. Node would hold unsent bytes
 * indefinitely. See docs/adr/0003-bounded-memory-for-bodies-and-responses.md.
 */
@Injectable()
export class UnreadResponses implements OnApplicationBootstrap, OnModuleDestroy {
  private unread: Unread[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly exchanges: Exchanges,
    private readonly limits: UnreadLimits,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.look();
    }, this.limits.checkMs).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    const before = new Map(this.unread.map((unread) => [unread.exchange, unread]));
    this.unread = [];
    for (const exchange of this.exchanges.inFlight()) {
      const bytes = exchange.response.writableLength;
      if (bytes === 0) continue;
      const { socket } = exchange.request;
      const taken = socket.bytesWritten - socket.writableLength;
      const known = before.get(exchange);
      // Time is counted in checks, so a pause of the process never makes a client look slow.
      const checks = known?.taken === taken ? known.checks + 1 : 0;
      this.unread.push({ exchange, bytes, taken, checks });
    }
    this.endTheSlow();
    this.endTheSurplus();
  }

  private endTheSlow(): void {
    const { checkMs, graceMs, bytesPerSecond } = this.limits;
    for (const unread of this.unread) {
      const allowedMs = graceMs + (unread.bytes / bytesPerSecond) * 1000;
      if (unread.checks * checkMs >= allowedMs) this.end(unread, 'takes too long');
    }
  }

  /**
   * Closes connections until the total is within the limit. The client with the most unread bytes loses its oldest
   * response first.
   */
  private endTheSurplus(): void {
    const clients = this.byClient();
    let total = clients.reduce((sum, { bytes }) => sum + bytes, 0);
    while (total > this.limits.bytes) {
      const client = clients.reduce((most, each) => (each.bytes > most.bytes ? each : most));
      const unread = client.responses.shift();
      if (!unread) return;
      client.bytes -= unread.bytes;
      total -= unread.bytes;
      this.end(unread, 'too much is unread');
    }
  }

  /** Groups unread responses by account, or by address for requests without a key; oldest first. */
  private byClient(): { bytes: number; responses: Unread[] }[] {
    const clients = new Map<string, { bytes: number; responses: Unread[] }>();
    for (const unread of this.unread.toSorted((a, b) => b.checks - a.checks)) {
      const { principal, ip = '', socket } = unread.exchange.request;
      // Skip responses that the client had no time to read yet.
      if (socket.destroyed || unread.checks === 0) continue;
      const name = principal?.accountId ?? clientNetwork(ip);
      const client = clients.get(name) ?? { bytes: 0, responses: [] };
      client.bytes += unread.bytes;
      client.responses.push(unread);
      clients.set(name, client);
    }
    return [...clients.values()];
  }

  private end({ exchange, bytes }: Unread, why: string): void {
    const { requestId } = exchange.request;
    this.log.info({ requestId, unreadBytes: bytes }, `response not read: ${why}`);
    exchange.request.socket.destroy();
  }
}
