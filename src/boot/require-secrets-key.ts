import type { DataSource } from 'typeorm';
import { OperatorError } from '../errors/operator-error.js';
import { SecretBox, SecretUnreadableError } from '../secrets/secret-box.js';

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
