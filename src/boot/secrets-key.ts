import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDataFolder } from '../config/data-folder.js';
import { OperatorError } from '../errors/operator-error.js';
import { reasonOf } from '../errors/reason.js';
import { createSecretFile } from '../secrets/secret-file.js';

const FILE = 'secrets.key';

/**
 * The key that encrypts webhook secrets beside the embedded database: made once, readable by its owner only. Throws
 * `OperatorError` when it can be neither made nor read.
 */
export async function loadOrCreateSecretsKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, FILE);
  const kept = (await read(path)) ?? (await create(dataDir, path));
  const key = Buffer.from(kept ?? '', 'base64');
  if (key.length !== 32) {
    throw new OperatorError(
      `${path} does not hold a key of 32 bytes in base64. Restore it from a backup: without it the stored webhook secrets cannot be read.`,
    );
  }
  return key;
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
