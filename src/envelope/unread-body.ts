import type { Request } from 'express';

/** How long the client may pause, and send in all, once it is answered. */
const IDLE_MS = 2_000;
const LONGEST_MS = 30_000;

/**
 * Takes in and throws away what is still to come of a body that was refused. To close at once would reset the
 * connection, and a client that is still sending would see that instead of its answer. Close is what an endless or
 * lazy one gets.
 */
export function discardRest(request: Request): void {
  if (request.complete || request.destroyed) return;
  const close = () => {
    request.socket.destroy();
  };
  const idle = setTimeout(close, IDLE_MS).unref();
  const end = setTimeout(close, LONGEST_MS).unref();
  const stop = () => {
    clearTimeout(idle);
    clearTimeout(end);
  };
  request.on('data', () => idle.refresh());
  request.once('end', stop).once('close', stop);
  request.resume();
}
