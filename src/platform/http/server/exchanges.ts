import type { Duplex } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { traceRequest } from '../../operation/tracing.js';

/** A request with its response. */
export interface Exchange {
  request: Request;
  response: Response;
}

/** A request that waits for the previous response on its connection. */
interface Waiting extends Exchange {
  handle: () => void;
}

/** The state of a connection. Empty between requests. */
interface Connection {
  exchange: Exchange | undefined;
  waiting: Waiting[];
}

/** Maximum pipelined requests waiting on a connection. HTTP clients that pipeline send a few at once. */
const MAX_WAITING = 32;

/**
 * Handles the requests of each connection one after another, and tracks the current one. Without this, Node would handle
 * all pipelined requests at once, a thousand in one packet, and hold all responses until the client reads the first.
 *
 * An entry is emptied after a request and removed with its connection. A Set or Map that gains and loses an entry on
 * every request often allocates a new table, and V8 links old tables to new ones: once one table is in the old
 * generation, all later ones move there too, with the requests they hold.
 */
@Injectable()
export class Exchanges {
  private readonly connections = new Map<Duplex, Connection>();

  /**
   * Calls `handle` when the previous response on the connection has been sent. That is immediately, unless the client
   * pipelines.
   */
  begin(request: Request, response: Response, handle: () => void): void {
    const connection = this.connectionOf(request.socket);
    if (!connection.exchange) {
      this.start(connection, { request, response, handle });
    } else if (connection.waiting.length < MAX_WAITING) {
      connection.waiting.push({ request, response, handle });
      request.socket.pause();
    } else {
      request.socket.destroy();
    }
  }

  /** Returns the current request of a connection. */
  on(socket: Duplex): Exchange | undefined {
    return this.connections.get(socket)?.exchange;
  }

  /** True if the connection has already sent more requests. */
  hasMore(socket: Duplex): boolean {
    return (this.connections.get(socket)?.waiting.length ?? 0) > 0;
  }

  /** The requests in flight. */
  *inFlight(): Iterable<Exchange> {
    for (const { exchange } of this.connections.values()) if (exchange) yield exchange;
  }

  private start(connection: Connection, { request, response, handle }: Waiting): void {
    connection.exchange = { request, response };
    response.on('close', () => {
      connection.exchange = undefined;
      const next = connection.waiting.shift();
      if (!next || request.socket.destroyed) return;
      if (connection.waiting.length === 0) request.socket.resume();
      this.start(connection, next);
    });
    handle();
  }

  private connectionOf(socket: Duplex): Connection {
    const known = this.connections.get(socket);
    if (known) return known;
    const connection: Connection = { exchange: undefined, waiting: [] };
    this.connections.set(socket, connection);
    socket.once('close', () => this.connections.delete(socket));
    return connection;
  }
}

/** A hook that runs before routing. It must not throw. */
export type RequestHook = (request: Request, response: Response) => void;

/** Combines all hooks in one middleware, because each middleware costs a turn through Express' router. */
export function callHooks(exchanges: Exchanges, ...hooks: readonly RequestHook[]) {
  return (request: Request, response: Response, next: NextFunction): void => {
    exchanges.begin(request, response, () => {
      traceRequest(request, response, () => {
        for (const hook of hooks) hook(request, response);
        next();
      });
    });
  };
}
