import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Injectable, Module } from '@nestjs/common';
import { runningTime } from '../../basics/clock/time-limit.js';
import { Exchanges, type RequestHook } from './exchanges.js';
import { UnreadAnswers, UnreadLimits } from './unread-answers.js';

/** How long idle keep-alive connections may still bring a request after the listener closed. */
const IDLE_GRACE_MS = 1_000;
/** How long requests under way may take to finish. */
const FINISH_WITHIN_MS = 9_000;
const LOOK_EVERY_MS = 25;

/**
 * Ends the HTTP server without failing a request (SIGTERM under load): not ready, and only then no new connections;
 * every answer from there on says `Connection: close`; idle connections get a moment for a request that is already on
 * its way; what is under way finishes. Nest's forceCloseConnections would destroy requests in flight.
 */
@Injectable()
export class Drain {
  private readonly endings: (() => void)[] = [];
  private closing = false;
  private started = false;
  private lastRequestAt = 0;
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly exchanges: Exchanges) {}

  /** Whether the shutdown has begun: load balancers are to send no more. */
  get begun(): boolean {
    return this.started;
  }

  /** Calls `listener` when the shutdown begins, for what is done besides answering. */
  onBegin(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Knows when the last request came, and that none may follow it on its connection. */
  readonly track: RequestHook = ({ socket }, response) => {
    this.lastRequestAt = runningTime();
    if (this.closing && !this.exchanges.hasMore(socket)) response.setHeader('Connection', 'close');
  };

  /** Has `end` called once the listener closes, to end answers that would go on for ever. */
  onClosing(end: () => void): void {
    this.endings.push(end);
  }

  /** Resolves when the server has no connection left; `notReadyForMs` is the time load balancers get to notice. */
  async run(server: HttpServer, notReadyForMs: number): Promise<void> {
    this.started = true;
    for (const listener of this.listeners) listener();
    await wait(notReadyForMs);
    this.closing = true;
    for (const end of this.endings) end();
    for (const { request, response } of this.exchanges.underWay()) {
      if (response.headersSent || this.exchanges.hasMore(request.socket)) continue;
      response.setHeader('Connection', 'close');
    }
    // http.Server.close() would also cut idle connections, and with them a request that is just arriving.
    const closed = new Promise<void>((resolve) => {
      Server.prototype.close.call(server, () => {
        resolve();
      });
    });
    this.lastRequestAt = runningTime();
    const deadline = runningTime() + FINISH_WITHIN_MS;
    while (runningTime() < deadline && !this.isQuiet()) await wait(LOOK_EVERY_MS);
    server.closeAllConnections();
    await closed;
  }

  private isQuiet(): boolean {
    const [underWay] = this.exchanges.underWay();
    return underWay === undefined && runningTime() - this.lastRequestAt >= IDLE_GRACE_MS;
  }
}

@Module({ providers: [Drain, Exchanges, UnreadAnswers, UnreadLimits], exports: [Drain, Exchanges] })
export class DrainModule {}
