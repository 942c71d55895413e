import type { Socket } from 'node:net';
import type { ClientBase } from 'pg';
import { pausedSince } from '../basics/clock/time-limit.js';

/** What pg's declarations leave out. */
type Connected = ClientBase & {
  connection: { stream: Socket };
  /** False while a statement is under way. */
  readyForQuery: boolean;
};

/**
 * Ends a connection whose server says nothing for `limitMs` while a statement is under way, so that a lost server or
 * network becomes an answer. The socket has one timer, which every byte starts anew; pg's own `query_timeout` makes a
 * timer of every statement, of which what it read stays in memory until the next full collection.
 * After a pause of this process it waits once more: what the server said meanwhile is not read yet.
 */
export function setSocketTimeout(client: ClientBase, limitMs: number): void {
  const connected = client as Connected;
  const { stream } = connected.connection;
  stream.setTimeout(limitMs);
  // Not as an argument of setTimeout(), which listens once only: to the first time the connection is idle for long.
  stream.on('timeout', () => {
    if (connected.readyForQuery) return;
    if (pausedSince(performance.now() - limitMs)) stream.setTimeout(limitMs);
    else stream.destroy(silence(limitMs));
  });
}

function silence(limitMs: number): Error {
  const error = new Error(`PostgreSQL has said nothing for ${String(limitMs)} ms.`);
  return Object.assign(error, { code: 'ETIMEDOUT' });
}
