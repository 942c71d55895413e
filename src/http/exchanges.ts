import type { Duplex } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { RequestStep } from './each-request.js';

/** A request with its answer. */
export interface Exchange {
  request: Request;
  response: Response;
}

/** What is kept of a connection; empty between requests. */
interface Connection {
  exchange?: Exchange | undefined;
}

/**
 * Knows the request that each connection is busy with; of requests sent without waiting for answers the last one, which
 * is answered last.
 *
 * An entry is emptied after a request, and removed with its connection only. A Set or Map that gains and loses an entry
 * at every request gets a new table every few requests, and V8's old table points to the new one: once one of them is
 * in the old generation, all that come after it are moved there, with the requests they hold.
 */
@Injectable()
export class Exchanges {
  private readonly connections = new Map<Duplex, Connection>();

  readonly track: RequestStep = (request, response) => {
    const exchange = { request, response };
    const connection = this.connectionOf(request.socket);
    connection.exchange = exchange;
    response.on('close', () => {
      if (connection.exchange === exchange) connection.exchange = undefined;
    });
  };

  /** The request that came last on this connection, unless its answer is out. */
  on(socket: Duplex): Exchange | undefined {
    return this.connections.get(socket)?.exchange;
  }

  /** The requests under way. */
  *underWay(): Iterable<Exchange> {
    for (const { exchange } of this.connections.values()) if (exchange) yield exchange;
  }

  private connectionOf(socket: Duplex): Connection {
    const known = this.connections.get(socket);
    if (known) return known;
    const connection: Connection = {};
    this.connections.set(socket, connection);
    socket.once('close', () => this.connections.delete(socket));
    return connection;
  }
}
