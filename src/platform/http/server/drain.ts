import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Injectable, Module } from '@nestjs/common';
import { runningTime } from '../../basics/clock/time-limit.js';
import { Exchanges, type RequestHook } from './exchanges.js';
import { UnreadResponses, UnreadLimits } from './unread-responses.js';

/** How long idle keep-alive connections can still send a request after the listener closed. */
const IDLE_GRACE_MS = 1_000;
/** Maximum time for requests in flight to finish. */
const FINISH_WITHIN_MS = 9_000;
const CHECK_EVERY_MS = 25;

/**
 * Shuts the HTTP server down without failing a request. First the process reports that it is not ready; then it stops
 * accepting connections, and every response says `Connection: close`. Idle connections get a moment for a request that
 * is already on its way, and requests in flight finish. Nest's forceCloseConnections would abort them.
 */
@Injectable()
export class Drain {
  private readonly endings: (() => void)[] = [];
  private closing = false;
  private started = false;
  private lastRequestAt = 0;
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly exchanges: Exchanges) {}

  /** True once the shutdown has started and load balancers must stop sending requests. */
  get isDraining(): boolean {
    return this.started;
  }

  /** Calls `listener` when the shutdown starts. */
  onStart(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Notes the time of the latest request, and closes its connection during a shutdown. */
  readonly track: RequestHook = ({ socket }, response) => {
    this.lastRequestAt = runningTime();
    if (this.closing && !this.exchanges.hasMore(socket)) response.setHeader('Connection', 'close');
  };

  /** Calls `end` when the listener closes, to end responses that never end on their own. */
  onClosing(end: () => void): void {
    this.endings.push(end);
  }

  /** Resolves when the server has no connections left. `notReadyForMs` gives load balancers time to notice. */
  async run(server: HttpServer, notReadyForMs: number): Promise<void> {
    this.started = true;
    for (const listener of this.listeners) listener();
    await wait(notReadyForMs);
    this.closing = true;
    for (const end of this.endings) end();
    for (const { request, response } of this.exchanges.inFlight()) {
      if (response.headersSent || this.exchanges.hasMore(request.socket)) continue;
      response.setHeader('Connection', 'close');
    }
    // http.Server.close() would also close idle connections, which may carry an arriving request.
    const closed = new Promise<void>((resolve) => {
      Server.prototype.close.call(server, () => {
        resolve();
      });
    });
    this.lastRequestAt = runningTime();
    const deadline = runningTime() + FINISH_WITHIN_MS;
    while (runningTime() < deadline && !this.isQuiet()) await wait(CHECK_EVERY_MS);
    server.closeAllConnections();
    await closed;
  }

  private isQuiet(): boolean {
    const [underWay] = this.exchanges.inFlight();
    return underWay === undefined && runningTime() - this.lastRequestAt >= IDLE_GRACE_MS;
  }
}

@Module({
  providers: [Drain, Exchanges, UnreadResponses, UnreadLimits],
  exports: [Drain, Exchanges],
})
export class DrainModule {}
