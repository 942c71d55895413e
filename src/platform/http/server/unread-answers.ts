import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Log } from '../../operation/log.js';
import { clientNetwork } from '../../network/client-address.js';
import { Exchanges, type Exchange } from './exchanges.js';

/** How much of answers may wait for their readers, and for how long. */
@Injectable()
export class UnreadLimits {
  /** How often answers are looked at, in milliseconds. */
  lookMs = 250;
  /** How long a client may take nothing of what it was given, and how much longer for each byte of that. */
  graceMs = 30_000;
  bytesPerSecond = 16 * 1024;
  /** Bytes of all unread answers of the process. */
  bytes = 64 * 1024 ** 2;
}

/** An answer of which a client has not taken all that it was given. */
interface Unread {
  exchange: Exchange;
  /** Bytes that this process holds of it; a write counts until the last of its bytes is gone. */
  bytes: number;
  /** Bytes of its connection that are gone. */
  taken: number;
  /** How long no write has been completed, in looks. */
  looks: number;
}

/**
 * Ends the connections of clients that do not read their answers, on every route. Node keeps what a socket does not take,
 * for ever. See docs/adr/0003-bounded-memory-for-bodies-and-responses.md.
 */
@Injectable()
export class UnreadAnswers implements OnApplicationBootstrap, OnModuleDestroy {
  private unread: Unread[] = [];
  private looking: NodeJS.Timeout | undefined;

  constructor(
    private readonly exchanges: Exchanges,
    private readonly limits: UnreadLimits,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.looking = setInterval(() => {
      this.look();
    }, this.limits.lookMs).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.looking);
  }

  private look(): void {
    const before = new Map(this.unread.map((unread) => [unread.exchange, unread]));
    this.unread = [];
    for (const exchange of this.exchanges.underWay()) {
      const bytes = exchange.response.writableLength;
      if (bytes === 0) continue;
      const { socket } = exchange.request;
      const taken = socket.bytesWritten - socket.writableLength;
      const known = before.get(exchange);
      // Time is counted in looks: after a pause of the whole process nobody is told to have been slow.
      const looks = known?.taken === taken ? known.looks + 1 : 0;
      this.unread.push({ exchange, bytes, taken, looks });
    }
    this.endTheSlow();
    this.endTheSurplus();
  }

  private endTheSlow(): void {
    const { lookMs, graceMs, bytesPerSecond } = this.limits;
    for (const unread of this.unread) {
      const patienceMs = graceMs + (unread.bytes / bytesPerSecond) * 1000;
      if (unread.looks * lookMs >= patienceMs) this.end(unread, 'takes too long');
    }
  }

  /** While there is too much in all, the client with the most of it loses the answer that it has left for longest. */
  private endTheSurplus(): void {
    const clients = this.byClient();
    let total = clients.reduce((sum, { bytes }) => sum + bytes, 0);
    while (total > this.limits.bytes) {
      const client = clients.reduce((most, each) => (each.bytes > most.bytes ? each : most));
      const unread = client.answers.shift();
      if (!unread) return;
      client.bytes -= unread.bytes;
      total -= unread.bytes;
      this.end(unread, 'too much is unread');
    }
  }

  /** What each account, or each address that needed no key, has left unread; longest left first. */
  private byClient(): { bytes: number; answers: Unread[] }[] {
    const clients = new Map<string, { bytes: number; answers: Unread[] }>();
    for (const unread of this.unread.toSorted((a, b) => b.looks - a.looks)) {
      const { principal, ip = '', socket } = unread.exchange.request;
      // Who was given it just now has had no time to take it.
      if (socket.destroyed || unread.looks === 0) continue;
      const name = principal?.accountId ?? clientNetwork(ip);
      const client = clients.get(name) ?? { bytes: 0, answers: [] };
      client.bytes += unread.bytes;
      client.answers.push(unread);
      clients.set(name, client);
    }
    return [...clients.values()];
  }

  private end({ exchange, bytes }: Unread, why: string): void {
    const { requestId } = exchange.request;
    this.log.info({ requestId, unreadBytes: bytes }, `answer not read: ${why}`);
    exchange.request.socket.destroy();
  }
}
