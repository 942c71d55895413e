import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDataFolder } from '@document-service/embedded-postgres/data-folder';
import type { Environment } from '../../platform/config/environment.js';
import { OperatorError } from '../../platform/basics/errors/app-error.js';
import { reasonOf } from '../../platform/basics/errors/reason.js';
import {
  createSecretFile,
  replaceSecretFile,
} from '@document-service/embedded-postgres/secret-file';

const FILE = 'secrets.key';

/** The current key, and former keys that stored secrets may still need. */
interface SecretsKeys {
  key: Buffer;
  previous: readonly Buffer[];
}

/** Returns the keys in the settings or, without `SECRETS_KEY`, those in the data folder, which it creates if necessary. */
export async function secretsKeysOf({
  SECRETS_KEY: key,
  SECRETS_KEY_PREVIOUS: further,
  DATA_DIR: dataDir,
}: Pick<Environment, 'SECRETS_KEY' | 'SECRETS_KEY_PREVIOUS' | 'DATA_DIR'>): Promise<SecretsKeys> {
  const stored = key === undefined ? await loadOrCreateSecretsKeys(dataDir) : { key, previous: [] };
  return { key: stored.key, previous: [...stored.previous, ...further] };
}

/**
 * Returns the keys in the data folder, one per line, the current one first. Creates the file, readable by its owner
 * only. Throws `OperatorError` if it can neither be created nor read.
 */
export async function loadOrCreateSecretsKeys(dataDir: string): Promise<SecretsKeys> {
  const path = join(dataDir, FILE);
  return parseKeys(path, (await read(path)) ?? (await create(dataDir, path)) ?? '');
}

/** Replaces the keys in the folder atomically. */
export async function writeSecretsKeys(
  dataDir: string,
  { key, previous }: SecretsKeys,
): Promise<void> {
  const lines = [key, ...previous].map((one) => one.toString('base64'));
  await replaceSecretFile(join(dataDir, FILE), lines.join('\n'));
}

/** Returns the text of the key file, for a backup; undefined if there is none. */
export const secretsKeyText = (dataDir: string) => read(join(dataDir, FILE));

/**
 * Adds the keys of a backup in front of those in the folder. Both stay until {@link keepOnlySecretsKeys}, because the
 * data may need either until the restore commits. Throws `OperatorError` if the folder has other keys and `mayReplace` is
 * false.
 */
export async function addSecretsKeys(
  dataDir: string,
  text: string,
  mayReplace: boolean,
): Promise<void> {
  const path = join(dataDir, FILE);
  const present = await read(path);
  if (present === undefined) return createSecretFile(path, text);
  if (present.trim() === text.trim()) return;
  if (!mayReplace) {
    throw new OperatorError(
      `${path} contains a different key than the backup. Move the file away, or replace it with --replace.`,
    );
  }
  const keys = new Set([...linesOf(text), ...linesOf(present)]);
  await replaceSecretFile(path, [...keys].join('\n'));
}

/** Replaces the keys in the folder with those of a backup after the restore has committed. */
export async function keepOnlySecretsKeys(dataDir: string, text: string): Promise<void> {
  const path = join(dataDir, FILE);
  if ((await read(path))?.trim() !== text.trim()) await replaceSecretFile(path, text);
}

const linesOf = (text: string) => text.trim().split('\n');

function parseKeys(path: string, text: string): SecretsKeys {
  const [key, ...previous] = linesOf(text).map((line) => Buffer.from(line, 'base64'));
  if (!key || [key, ...previous].some(({ length }) => length !== 32)) {
    throw new OperatorError(
      `${path} does not contain a key of 32 bytes in base64. Restore the file from a backup: without it, stored webhook secrets cannot be read.`,
    );
  }
  return { key, previous };
}

/** Creates the key file. Returns its text, which another process may have written first. */
async function create(dataDir: string, path: string): Promise<string | undefined> {
  try {
    await createDataFolder(dataDir);
    await createSecretFile(path, randomBytes(32).toString('base64'));
  } catch (error) {
    throw new OperatorError(
      `Cannot write the secrets key to ${path} (${reasonOf(error)}). Make the folder writable, or set DATA_DIR.`,
    );
  }
  return read(path);
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new OperatorError(
      `Cannot read the secrets key in ${path} (${reasonOf(error)}). Make the file readable for this user.`,
    );
  }
}
