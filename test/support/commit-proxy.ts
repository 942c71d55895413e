import type { Socket } from 'node:net';
import { PostgresProxy } from './postgres-proxy.js';

/** The part of a COMMIT to lose: the command, or the server's response. */
export type LostHalf = 'command' | 'answer';

/** PostgreSQL's message for the simple query COMMIT: type, length, text. */
const COMMIT = Buffer.from('Q\0\0\0\x0bCOMMIT\0');

/**
 * A proxy in front of PostgreSQL that loses one half of the next COMMIT, so that a test can stop a service at exactly
 * that point.
 */
export class CommitProxy extends PostgresProxy {
  private losing: LostHalf | undefined;
  private onLoss: (() => void) | undefined;

  /** Loses this half of the next COMMIT, and resolves when that has happened. Its connection stays silent afterwards. */
  lose(half: LostHalf): Promise<void> {
    this.losing = half;
    return new Promise((resolve) => (this.onLoss = resolve));
  }

  protected override forward(client: Socket, server: Socket): void {
    let lost: LostHalf | undefined;
    client.on('data', (bytes) => {
      if (this.losing && bytes.includes(COMMIT)) {
        [lost, this.losing] = [this.losing, undefined];
        this.onLoss?.();
      }
      if (lost !== 'command') server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (!lost) client.write(bytes);
    });
  }
}
