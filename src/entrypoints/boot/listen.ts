import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { OperatorError } from '../../platform/basics/errors/app-error.js';
import type { Config } from '../../platform/config/config.js';

type Address = Pick<Config, 'port' | 'host'>;

/** Throws an `OperatorError` if this process cannot listen on the port. It does not listen afterwards. */
export async function requireFreePort({ port, host }: Address): Promise<void> {
  const probe = createServer();
  await listening(probe.listen({ port, host }), { port, host });
  await new Promise((resolve) => probe.close(resolve));
}

/** Resolves once the server accepts connections on `address`. Throws an `OperatorError` if it cannot. */
export async function listening(server: Server, address: Address): Promise<void> {
  try {
    await once(server, 'listening');
  } catch (error) {
    throw listenFailure(error, address);
  }
}

function listenFailure(error: unknown, { port, host }: Address): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new OperatorError(
        `Port ${String(port)} on ${host} is in use by another program. Stop it, or set PORT to a free port.`,
      );
    case 'EACCES':
      return new OperatorError(
        `Port ${String(port)} is not available to this user. Set PORT to 1024 or higher.`,
      );
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new OperatorError(`This machine has no address ${host}. Correct HOST.`);
    default:
      return error;
  }
}
