import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { createDataFolder } from '../config/data-folder.js';
import { OperatorError } from '../errors/operator-error.js';
import { reasonOf } from '../errors/reason.js';
import { SecretBox, SecretUnreadableError } from '../secrets/secret-box.js';
import { createSecretFile } from '../secrets/secret-file.js';

/** Its name in the data folder. */
export const SECRETS_KEY_FILE = 'secrets.key';

/**
 * The key that encrypts webhook secrets beside the embedded database: made once, readable by its owner only. Throws
 * `OperatorError` when it can be neither made nor read.
 */
export async function loadOrCreateSecretsKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, SECRETS_KEY_FILE);
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

/** What is encrypted, and in place of a row's id. Neither ever changes: older check values would not open any more. */
const CONSTANT = 'document-service';
const ROW = 'secrets_key_check';

/**
 * Throws an `OperatorError` when the stored secrets are encrypted with another key: every delivery would fail, one by
 * one. The first start on a database keeps a check value; of several that begin at once one keeps it and the others
 * compare.
 */
export async function requireSecretsKey(dataSource: DataSource, secretsKey: Buffer): Promise<void> {
  const [table] = await dataSource.query<{ found: boolean }[]>(
    `SELECT to_regclass('secrets_key_check') IS NOT NULL AS found`,
  );
  // Not migrated yet, and so not ready: a process that serves has been started after the migration.
  if (!table?.found) return;
  const box = new SecretBox(secretsKey);
  await dataSource.query(
    `INSERT INTO secrets_key_check AS kept (check_encrypted) VALUES ($1)
     ON CONFLICT (only_row) DO UPDATE SET check_encrypted = EXCLUDED.check_encrypted WHERE kept.check_encrypted IS NULL`,
    [box.seal(CONSTANT, ROW)],
  );
  const [check] = await dataSource.query<{ record: Buffer | null }[]>(
    'SELECT check_encrypted AS record FROM secrets_key_check',
  );
  if (!check?.record) throw wrongKey();
  try {
    box.open(check.record, ROW);
  } catch (error) {
    throw error instanceof SecretUnreadableError ? wrongKey() : error;
  }
}

function wrongKey(): OperatorError {
  return new OperatorError(
    'SECRETS_KEY is not the key that the secrets in this database are encrypted with. Start with that key, which stands with the settings of before, or with an embedded database in secrets.key of its DATA_DIR; if it is lost, see "A lost SECRETS_KEY" in docs/guides/operate.md.',
  );
}
