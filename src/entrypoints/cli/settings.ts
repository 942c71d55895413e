import { resolve } from 'node:path';
import { runningService } from '@document-service/embedded-postgres/data-folder-sockets';
import type { z } from 'zod';
import { databaseProblems, secretsKeyProblems } from '../../platform/config/database-choice.js';
import { currentRun } from './command-run.js';
import { localOrigin } from '../../platform/http/public-origin.js';
import { environment } from '../../platform/config/environment.js';
import { misspelledVariables } from '../../platform/config/misspelled-variables.js';
import {
  mailProblems,
  mailSettings,
  type MailSettings,
} from '../../platform/config/mail-settings.js';
import { parseVariables } from '../../platform/config/variables.js';

/** The settings that the command line uses. */
export type CliSettings = {
  /** Maximum time that a migration waits for an unreachable database, in ms. */
  startTimeoutMs: number;
  /** Origin of the service for people, if it is configured. */
  publicUrl: string | undefined;
  /** Origin of a service on this machine with the same `HOST` and `PORT`. */
  localUrl: string;
  /** Undefined if the service sends no mail. */
  mail: MailSettings | undefined;
  /** Undefined if the key is in a file of the data folder. */
  secretsKey: Buffer | undefined;
} & (
  | { databaseUrl: string; dataDir: undefined }
  /** The absolute folder of the embedded PostgreSQL. */
  | { databaseUrl: undefined; dataDir: string }
);

const SCHEMA = environment.pick({
  NODE_ENV: true,
  DATABASE_URL: true,
  DATABASE_DIRECT_URL: true,
  EMBEDDED_DATABASE: true,
  DATA_DIR: true,
  START_TIMEOUT_S: true,
  PUBLIC_URL: true,
  SMTP_URL: true,
  MAIL_FROM: true,
  HOST: true,
  PORT: true,
  SECRETS_KEY: true,
});

const SECRETS_SCHEMA = environment.pick({
  DATABASE_URL: true,
  DATA_DIR: true,
  SECRETS_KEY: true,
  SECRETS_KEY_PREVIOUS: true,
});

/**
 * Returns the origin of the service for people: `PUBLIC_URL`, that of the service that runs on the data folder, or that
 * for `HOST` and `PORT`.
 */
export async function serviceUrl({ publicUrl, dataDir, localUrl }: CliSettings): Promise<string> {
  if (publicUrl !== undefined) return publicUrl;
  const running = dataDir === undefined ? undefined : await runningService(dataDir);
  return running?.publicUrl ?? localUrl;
}

/** The secrets keys. Only commands for secrets need them. */
export type SecretsSettings = z.output<typeof SECRETS_SCHEMA>;

/** Returns the secrets keys. Throws `ConfigurationError`, including when DATABASE_URL is set without a key. */
export function secretsSettings(): SecretsSettings {
  return parseVariables(SECRETS_SCHEMA, currentRun().env, secretsKeyProblems);
}

/**
 * Returns the settings of the current run. Throws `ConfigurationError` for invalid or misspelled variables or a missing
 * database, as at startup.
 */
export function settings(): CliSettings {
  const read = parseVariables(SCHEMA, currentRun().env, (given) => [
    ...misspelledVariables(given),
    ...databaseProblems(given),
    ...mailProblems(given),
  ]);
  const { DATABASE_URL, DATABASE_DIRECT_URL = DATABASE_URL, DATA_DIR } = read;
  const shared = {
    startTimeoutMs: read.START_TIMEOUT_S * 1_000,
    publicUrl: read.PUBLIC_URL,
    localUrl: localOrigin(read.HOST, read.PORT),
    mail: mailSettings(read),
    secretsKey: read.SECRETS_KEY,
  };
  return DATABASE_DIRECT_URL === undefined
    ? { databaseUrl: undefined, dataDir: resolve(DATA_DIR), ...shared }
    : { databaseUrl: DATABASE_DIRECT_URL, dataDir: undefined, ...shared };
}
