import { resolve } from 'node:path';
import { databaseProblems } from '../config/database-choice.js';
import { environment } from '../config/environment.js';
import { parseVariables } from '../config/variables.js';

/** All that the command line reads of the environment; what else is set there is the service's business. */
export type CliSettings = {
  /** How long a migration waits for a database that cannot be reached, in milliseconds. */
  startTimeoutMs: number;
} & (
  | { databaseUrl: string; dataDir: undefined }
  /** The embedded PostgreSQL in an absolute folder. */
  | { databaseUrl: undefined; dataDir: string }
);

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
  const startTimeoutMs = START_TIMEOUT_S * 1_000;
  return DATABASE_URL === undefined
    ? { databaseUrl: undefined, dataDir: resolve(DATA_DIR), startTimeoutMs }
    : { databaseUrl: DATABASE_URL, dataDir: undefined, startTimeoutMs };
}
