import { createServer, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const RETRY_MS = 50;

/**
 * Does `work` while no other process of this machine does work of that name. Only for Linux: the lock is a local socket
 * with a name outside the file system, which the system frees when its process dies, however it dies.
 */
export async function oneAtATime<Result>(
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  let lock: Server | undefined;
  while (!(lock = await tryToHold(`\0document-service-${name}`))) await delay(RETRY_MS);
  try {
    return await work();
  } finally {
    lock.close();
  }
}

/** A server listening on `address`, or undefined when another process holds it. */
function tryToHold(address: string): Promise<Server | undefined> {
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
