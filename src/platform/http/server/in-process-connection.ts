import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Request } from 'express';

type Done = (error?: Error | null) => void;

/** One end of a connection within the process: what is written to it is read at the other one, and the reader sets the pace. */
class ConnectionEnd extends Duplex {
  other: ConnectionEnd | undefined;
  /** As sockets count; see `src/platform/http/server/unread-answers.ts`. */
  bytesWritten = 0;
  private written: Done | undefined;

  override _read(): void {
    const { other } = this;
    const written = other?.written;
    if (!other || !written) return;
    other.written = undefined;
    written();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: Done): void {
    this.bytesWritten += chunk.length;
    if (this.other?.push(chunk) === false) this.written = done;
    else done();
  }

  override _final(done: Done): void {
    this.other?.push(null);
    done();
  }

  override _destroy(error: Error | null, done: Done): void {
    const { other } = this;
    this.other = undefined;
    // Whoever still waits at the other end hears that there is nobody any more.
    if (other) setImmediate(() => other.destroy());
    done(error);
  }
}

/** The server's end. It has the address of the client for whom the request is made, as a proxy's connection would not. */
class ServerEnd extends ConnectionEnd {
  readonly remoteAddress: string | undefined;
  readonly encrypted: boolean;

  constructor(
    readonly caller: Request,
    readonly isCounted: boolean,
  ) {
    super();
    this.remoteAddress = caller.socket.remoteAddress;
    this.encrypted = (caller.socket as TLSSocket).encrypted;
  }
}

/**
 * A connection to our own server, without the network, for a request that is made for the sender of `caller`. It goes
 * through all that other requests go through; where it `isCounted`, `caller` was counted in its place. For
 * `createConnection` of `http.request`.
 */
export function connectInProcess(server: Server, caller: Request, isCounted: boolean): Socket {
  const [near, far] = [new ConnectionEnd(), new ServerEnd(caller, isCounted)];
  near.other = far;
  far.other = near;
  server.emit('connection', far);
  return near as Duplex as Socket;
}

/** The request that was counted against the plan in the place of this one; `undefined` for what counts itself. */
export function countedInPlaceOf({ socket }: Request): Request | undefined {
  const end: Duplex = socket;
  return end instanceof ServerEnd && end.isCounted ? end.caller : undefined;
}
