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

/** The key that encrypts, and former ones that stored secrets may still need. */
export interface SecretsKeys {
  key: Buffer;
  previous: readonly Buffer[];
}

/** The keys that the settings name; without `SECRETS_KEY` those in the data folder, which are made there. */
export async function secretsKeysOf({
  SECRETS_KEY: key,
  SECRETS_KEY_PREVIOUS: further,
  DATA_DIR: dataDir,
}: Pick<Environment, 'SECRETS_KEY' | 'SECRETS_KEY_PREVIOUS' | 'DATA_DIR'>): Promise<SecretsKeys> {
  const kept = key === undefined ? await loadOrCreateSecretsKeys(dataDir) : { key, previous: [] };
  return { key: kept.key, previous: [...kept.previous, ...further] };
}

/**
 * The keys of the secrets beside the embedded database, one a line with the present one first: made once, readable by
 * its owner only. Throws `OperatorError` when they can be neither made nor read.
 */
export async function loadOrCreateSecretsKeys(dataDir: string): Promise<SecretsKeys> {
  const path = join(dataDir, FILE);
  return parseKeys(path, (await read(path)) ?? (await create(dataDir, path)) ?? '');
}

/** Keeps these keys in place of those in the folder. A killed process leaves either all or none of them. */
export async function writeSecretsKeys(
  dataDir: string,
  { key, previous }: SecretsKeys,
): Promise<void> {
  const lines = [key, ...previous].map((one) => one.toString('base64'));
  await replaceSecretFile(join(dataDir, FILE), lines.join('\n'));
}

/** The file of the keys as it is, for a backup; undefined where there is none. */
export const secretsKeyText = (dataDir: string) => read(join(dataDir, FILE));

/**
 * Stores the keys of a backup before those in the folder, which stay until {@link keepOnlySecretsKeys}: until the restore
 * has committed, the data may need either. Throws `OperatorError` if the folder has other keys that may not be replaced.
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
      `${path} holds another key than the backup. Move it away, or replace it with --replace.`,
    );
  }
  const keys = new Set([...linesOf(text), ...linesOf(present)]);
  await replaceSecretFile(path, [...keys].join('\n'));
}

/** Replaces the keys in the folder with those of a backup, once the restore has committed. */
export async function keepOnlySecretsKeys(dataDir: string, text: string): Promise<void> {
  const path = join(dataDir, FILE);
  if ((await read(path))?.trim() !== text.trim()) await replaceSecretFile(path, text);
}

const linesOf = (text: string) => text.trim().split('\n');

function parseKeys(path: string, text: string): SecretsKeys {
  const [key, ...previous] = linesOf(text).map((line) => Buffer.from(line, 'base64'));
  if (!key || [key, ...previous].some(({ length }) => length !== 32)) {
    throw new OperatorError(
      `${path} does not hold a key of 32 bytes in base64. Restore it from a backup: without it the stored webhook secrets cannot be read.`,
    );
  }
  return { key, previous };
}

/** The text that is kept in the end, which another process may have put there first. */
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
