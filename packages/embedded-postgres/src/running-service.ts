import { resolve } from 'node:path';
import { FolderHolder, FolderSockets, type ServiceAddresses } from './data-folder-sockets.js';

/**
 * Returns the URLs of the service that runs on a data folder, or undefined if none listens. Nothing is stored, so a killed
 * service leaves nothing that could mislead. Throws `EmbeddedPostgresError` if the service is suspended.
 */
export async function runningService(dataDir: string): Promise<ServiceAddresses | undefined> {
  const sockets = await FolderSockets.of(resolve(dataDir)).catch(() => undefined);
  if (!sockets) return undefined;
  try {
    for (const address of await sockets.all()) {
      const holder = await FolderHolder.meet(address);
      holder?.leave();
      if (holder?.service) return holder.service;
    }
    return undefined;
  } finally {
    await sockets.close();
  }
}
