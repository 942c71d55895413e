import { databaseProblems } from '../config/database-choice.js';
import { environment } from '../config/environment.js';
import { parseVariables } from '../config/variables.js';

/** All that the command line reads of the environment; what else is set there is the service's business. */
export interface CliSettings {
  /** Undefined: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined;
  dataDir: string;
  /** How long a migration waits for a database that cannot be reached, in milliseconds. */
  startTimeoutMs: number;
}

const SCHEMA = environment.pick({
  NODE_ENV: true,
  DATABASE_URL: true,
  EMBEDDED_DATABASE: true,
  DATA_DIR: true,
  START_TIMEOUT_S: true,
});

/** Throws `ConfigurationError` when one of these variables is wrong, or they name no database, as at a start. */
export function readSettings(variables: NodeJS.ProcessEnv): CliSettings {
  const { DATABASE_URL, DATA_DIR, START_TIMEOUT_S } = parseVariables(
    SCHEMA,
    variables,
    databaseProblems,
  );
  return { databaseUrl: DATABASE_URL, dataDir: DATA_DIR, startTimeoutMs: START_TIMEOUT_S * 1_000 };
}
