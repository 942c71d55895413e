import { ConfigurationError } from '../config/config.js';
import { environment } from '../config/environment.js';

/** All that the command line reads of the environment; what else is set there is the service's business. */
export interface CliSettings {
  /** Undefined: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined;
  dataDir: string;
}

/** Throws {@link ConfigurationError} when one of the two variables is wrong. */
export function readSettings(variables: NodeJS.ProcessEnv): CliSettings {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = environment.pick({ DATABASE_URL: true, DATA_DIR: true }).safeParse(given);
  if (!parsed.success) {
    throw new ConfigurationError(
      parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}.`),
    );
  }
  return { databaseUrl: parsed.data.DATABASE_URL, dataDir: parsed.data.DATA_DIR };
}
