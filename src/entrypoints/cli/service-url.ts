import { runningService } from '@document-service/embedded-postgres/data-folder-sockets';
import type { CliSettings } from './settings.js';

/**
 * Returns the origin of the service for people: `PUBLIC_URL`, that of the service that runs on the data folder, or that
 * for `HOST` and `PORT`.
 */
export async function serviceUrl({ publicUrl, dataDir, localUrl }: CliSettings): Promise<string> {
  if (publicUrl !== undefined) return publicUrl;
  const running = dataDir === undefined ? undefined : await runningService(dataDir);
  return running?.publicUrl ?? localUrl;
}
