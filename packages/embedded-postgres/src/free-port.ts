import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A free TCP port of 127.0.0.1, below those that systems give to outgoing connections: one of our own reconnecting
 * clients could otherwise take the port while the server is down.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => {
      resolve(false);
    });
    probe.listen(port, '127.0.0.1', () =>
      probe.close(() => {
        resolve(true);
      }),
    );
  });
}
