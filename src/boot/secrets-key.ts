import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BootError } from './boot-error.js';

const FILE = 'secrets.key';

/** The key that encrypts webhook secrets beside the embedded database: made once, readable by its owner only. */
export async function loadOrCreateSecretsKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, FILE);
  try {
    await mkdir(dataDir, { recursive: true });
    await writeFile(path, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new BootError(
        `Cannot write the secrets key to ${path}. Make the folder writable, or set DATA_DIR.`,
      );
    }
  }
  const key = Buffer.from(await readFile(path, 'utf8'), 'base64');
  if (key.length !== 32) {
    throw new BootError(
      `${path} does not hold a key of 32 bytes in base64. Restore it from a backup: without it the stored webhook secrets cannot be read.`,
    );
  }
  return key;
}
