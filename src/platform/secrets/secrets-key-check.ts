import type { DataSource } from 'typeorm';
import { OperatorError } from '../basics/errors/app-error.js';
import { SecretUnreadableError, type SecretBox } from './secret-box.js';
import { keyUses } from './stored-secrets.js';

/** The encrypted constant and its row ID. Changing them would make older check values unreadable. */
const CONSTANT = 'document-service';
const ROW = 'secrets_key_check';

/**
 * Throws an `OperatorError` if stored secrets are encrypted with a key that `box` lacks. Otherwise every delivery would
 * fail, one by one. The first start on a database stores a check value. If several processes start at once, one stores it
 * and the others compare.
 */
export async function requireSecretsKey(dataSource: DataSource, box: SecretBox): Promise<void> {
  const [table] = await dataSource.query<{ found: boolean }[]>(
    `SELECT to_regclass('secrets_key_check') IS NOT NULL AS found`,
  );
  // The database has not been migrated yet, so this process is not ready either. A process that serves requests has
  // started after the migration.
  if (!table?.found) return;
  const missing = await missingKeys(dataSource, box);
  const value = box.seal(CONSTANT, ROW);
  // If the operator has removed the check value, missing keys count as lost and are no longer required.
  await dataSource.query(
    `UPDATE secrets_key_check SET check_encrypted = $1, lost_key_ids = lost_key_ids || $2
      WHERE check_encrypted IS NULL`,
    [value, missing.map(({ keyId }) => keyId)],
  );
  // A key that cannot decrypt stored secrets must not become the required one.
  if (missing.length === 0) {
    await dataSource.query(
      'INSERT INTO secrets_key_check (check_encrypted) VALUES ($1) ON CONFLICT DO NOTHING',
      [value],
    );
  }
  const [check] = await dataSource.query<{ record: Buffer | null; lost: string[] }[]>(
    'SELECT check_encrypted AS record, lost_key_ids AS lost FROM secrets_key_check',
  );
  if (!check) throw keyIsNeeded(missing);
  if (!check.record) throw wrongKey();
  try {
    box.open(check.record, ROW);
  } catch (error) {
    throw error instanceof SecretUnreadableError ? wrongKey() : error;
  }
  const needed = missing.filter(({ keyId }) => !check.lost.includes(keyId));
  if (needed.length > 0) throw keyIsNeeded(needed);
}

/** Makes the key of `box` the required one. Later starts require neither former keys nor the keys of unreadable records. */
export async function finishKeyChange(
  dataSource: DataSource,
  box: SecretBox,
  unreadable: readonly string[],
): Promise<void> {
  await dataSource.query(
    `UPDATE secrets_key_check SET check_encrypted = $1,
            lost_key_ids = ARRAY(SELECT DISTINCT unnest(lost_key_ids || $2::text[]) EXCEPT SELECT $3)`,
    [box.seal(CONSTANT, ROW), unreadable, box.keyId],
  );
}

/** Returns the keys of stored secrets that `box` lacks, with the number of secrets per key. */
async function missingKeys(
  dataSource: DataSource,
  { keyIds }: SecretBox,
): Promise<{ keyId: string; records: number }[]> {
  return (await keyUses(dataSource)).filter(({ keyId }) => !keyIds.includes(keyId));
}

function wrongKey(): OperatorError {
  return new OperatorError(
    'SECRETS_KEY is not the key that the secrets in this database are encrypted with. Start with that key: it is in your former settings or, with an embedded database, in secrets.key in DATA_DIR. To change keys, add it to SECRETS_KEY_PREVIOUS. If it is lost, see "A lost SECRETS_KEY" in docs/operate/secrets-key.md.',
  );
}

function keyIsNeeded(missing: readonly { keyId: string; records: number }[]): OperatorError {
  const sum = missing.reduce((all, { records }) => all + records, 0);
  const count = sum === 1 ? '1 stored secret is' : `${String(sum)} stored secrets are`;
  const ids = [...new Set(missing.map(({ keyId }) => keyId))].join(', ');
  return new OperatorError(
    `${count} encrypted with a former key (id ${ids}) that neither SECRETS_KEY nor SECRETS_KEY_PREVIOUS holds. Add that key to SECRETS_KEY_PREVIOUS, start, and run npm run -s cli -- secrets rotate; if it is lost, see "A lost SECRETS_KEY" in docs/operate/secrets-key.md.`,
  );
}
