import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const PREFIX = 'document-service';
const RETRY_MS = 50;

/**
 * The address of the local socket that stands for `name` on this machine. Listening on it is a lock: the system frees
 * it when its process dies, however it dies. On Linux it is a name outside the file system, which leaves nothing
 * behind and needs no writable folder.
 */
export function lockAddress(name: string): string {
  if (process.platform === 'linux') return `\0${PREFIX}-${name}`;
  return join(tmpdir(), `${PREFIX}-${name}.sock`);
}

/** A server listening on `address`, or undefined when another process holds it. */
export function tryToHold(address: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(address, () => {
      resolve(server);
    });
  });
}

/** Does `work` while no other process of this machine does work of that name. */
export async function oneAtATime<Result>(
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  let lock: Server | undefined;
  while (!(lock = await tryToHold(lockAddress(name)))) await delay(RETRY_MS);
  try {
    return await work();
  } finally {
    lock.close();
  }
}
