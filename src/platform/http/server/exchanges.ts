import type { Duplex } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { traceRequest } from '../../operation/tracing.js';

/** A request with its answer. */
export interface Exchange {
  request: Request;
  response: Response;
}

/** A request that waits for the answer to the one before it. */
interface Waiting extends Exchange {
  handle: () => void;
}

/** What is kept of a connection; empty between requests. */
interface Connection {
  exchange: Exchange | undefined;
  waiting: Waiting[];
}

/** Most requests of a connection that wait for their turn. HTTP clients that do not wait for answers send a few at once. */
const MAX_WAITING = 32;

/**
 * Has the requests of each connection handled one after the other, and knows the one that it is busy with. Node would
 * handle at once whatever a client sends without waiting for answers, a thousand requests in one packet, and keep all
 * answers until the first is read.
 *
 * An entry is emptied after a request, and removed with its connection only. A Set or Map that gains and loses an entry
 * at every request gets a new table every few requests, and V8's old table points to the new one: once one of them is
 * in the old generation, all that come after it are moved there, with the requests they hold.
 */
@Injectable()
export class Exchanges {
  private readonly connections = new Map<Duplex, Connection>();

  /** Calls `handle` when the answer before it is out: at once, unless the client sends without waiting. */
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

  /** The request that this connection is busy with. */
  on(socket: Duplex): Exchange | undefined {
    return this.connections.get(socket)?.exchange;
  }

  /** Whether the connection has sent more requests already. */
  hasMore(socket: Duplex): boolean {
    return (this.connections.get(socket)?.waiting.length ?? 0) > 0;
  }

  /** The requests under way. */
  *underWay(): Iterable<Exchange> {
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

/** Hook called before routing. Must not throw. */
export type RequestHook = (request: Request, response: Response) => void;

/** All hooks as one middleware: each of its own would cost another turn through Express' router. */
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
