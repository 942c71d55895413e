import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceSecretFile } from '../../secrets/secret-file.js';

const FILE = 'postgres-password';

/** The password of the database role, kept in `dataDir` for this user only; undefined before the first start. */
export async function readPassword(dataDir: string): Promise<string | undefined> {
  try {
    return (await readFile(join(dataDir, FILE), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Makes and keeps a new password: 192 random bits, safe in a URL and in an SQL literal. */
export async function createPassword(dataDir: string): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  await replaceSecretFile(join(dataDir, FILE), `${password}\n`);
  return password;
}
