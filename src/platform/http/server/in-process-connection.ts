import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Request } from 'express';

type Done = (error?: Error | null) => void;

/** One end of an in-process connection. Bytes written to it are read at the other end, with backpressure. */
class ConnectionEnd extends Duplex {
  other: ConnectionEnd | undefined;
  /** Like `bytesWritten` of a socket; see `src/platform/http/server/unread-responses.ts`. */
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
    // Notify the other end, which may still be waiting.
    if (other) setImmediate(() => other.destroy());
    done(error);
  }
}

/** The server's end. It reports the address of the client that the request is made for. */
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
 * Connects to the service's own server without the network, for a request on behalf of the sender of `caller`. The
 * request goes through the same steps as any other. If `isCounted`, `caller` was already counted against the rate limit.
 * For `createConnection` of `http.request`.
 */
export function connectInProcess(server: Server, caller: Request, isCounted: boolean): Socket {
  const [near, far] = [new ConnectionEnd(), new ServerEnd(caller, isCounted)];
  near.other = far;
  far.other = near;
  server.emit('connection', far);
  return near as Duplex as Socket;
}

/**
 * Returns the request that was counted against the plan instead of this one, or `undefined` if this one is counted itself.
 */
export function countedInPlaceOf({ socket }: Request): Request | undefined {
  const end: Duplex = socket;
  return end instanceof ServerEnd && end.isCounted ? end.caller : undefined;
}
