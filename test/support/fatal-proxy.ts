import type { Socket } from 'node:net';
import { PostgresProxy } from './postgres-proxy.js';

/** The last message of a PostgreSQL response, outside a transaction. */
const READY_FOR_QUERY = Buffer.from('Z\0\0\0\x05I');

/** What a server that shuts down sends on each connection before closing it. */
const ADMIN_SHUTDOWN = errorResponse({
  S: 'FATAL',
  V: 'FATAL',
  C: '57P01',
  M: 'terminating connection due to administrator command',
});

/** A proxy in front of PostgreSQL that can make the server appear to shut down at the very end of a response. */
export class FatalProxy extends PostgresProxy {
  private due = false;

  /** True if the last {@link shutDownAfterAnswer} has happened. */
  get isDone(): boolean {
    return !this.due;
  }

  /** Appends the FATAL message of a shutdown to the next response, in the same read, and closes the connection. */
  shutDownAfterResponse(): void {
    this.due = true;
  }

  protected override forward(client: Socket, server: Socket): void {
    client.pipe(server);
    server.on('data', (bytes) => {
      if (!this.due || !isEndOfResponse(bytes)) {
        client.write(bytes);
        return;
      }
      this.due = false;
      client.end(Buffer.concat([bytes, ADMIN_SHUTDOWN]));
      server.destroy();
    });
  }
}

/** The end of the handshake does not count as a response. */
function isEndOfResponse(bytes: Buffer): boolean {
  const isHandshake = bytes[0] === 'R'.charCodeAt(0);
  return !isHandshake && bytes.subarray(-READY_FOR_QUERY.length).equals(READY_FOR_QUERY);
}

function errorResponse(fields: Readonly<Record<string, string>>): Buffer {
  const text = Object.entries(fields)
    .map(([kind, value]) => `${kind}${value}\0`)
    .join('');
  const message = Buffer.from(`E\0\0\0\0${text}\0`);
  message.writeInt32BE(message.length - 1, 1);
  return message;
}
