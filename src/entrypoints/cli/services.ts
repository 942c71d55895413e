import type { createServices } from './create-services.js';
import { settings } from './settings.js';

/** The services that commands use. */
export type Services = ReturnType<typeof createServices>;

/**
 * Creates the services on the configured database. Loads everything heavy only here, so that help and usage errors appear
 * immediately.
 */
export async function withServices<Result>(
  work: (services: Services) => Promise<Result>,
): Promise<Result> {
  const read = settings();
  const [session, { createServices: create }] = await Promise.all([
    import('./database-session.js'),
    import('./create-services.js'),
  ]);
  return session.withDatabase(read, async (dataSource) => {
    await session.requireSchema(dataSource, read.dataDir);
    return work(create(dataSource));
  });
}
