import type { DataSource } from 'typeorm';
import { SecretsKeyCheckEntity } from './tables.js';
import { keyIdIn, SecretUnreadableError, type SecretBox } from './secret-box.js';

/** Records per batch. */
const BATCH = 100;

/** Columns with this ending hold records of `SecretBox`, each bound to the first column of the table's primary key. */
const ENDING = '_encrypted';

/** A column with records of `SecretBox`. */
interface SecretColumn {
  table: string;
  column: string;
  /** Primary key that each record is bound to. */
  id: string;
  idType: 'uuid' | 'bytea';
}

/** Number of records in a column that were encrypted with one key. */
interface KeyUse {
  table: string;
  column: string;
  keyId: string;
  records: number;
}

/** The result of a re-encryption. */
interface Reencryption {
  reencrypted: number;
  /** Records of former keys that other processes have added in the meantime. */
  left: number;
  /** Key IDs of unreadable records, one per record: the key is not available, or the record is damaged. */
  unreadable: string[];
}

interface StoredRecord {
  id: string | Buffer;
  record: Buffer;
}

/** Returns every column of encrypted records, found by its name. */
export function secretColumns({ entityMetadatas }: DataSource): SecretColumn[] {
  return entityMetadatas
    .filter(({ target }) => target !== SecretsKeyCheckEntity)
    .flatMap(({ tableName: table, columns, primaryColumns }) =>
      columns
        .filter(({ databaseName }) => databaseName.endsWith(ENDING))
        .map(({ databaseName: column }) => ({
          table,
          column,
          id: primaryColumns[0]?.databaseName ?? '',
          idType: primaryColumns[0]?.type === 'bytea' ? ('bytea' as const) : ('uuid' as const),
        })),
    );
}

/** Counts the records of each key; skips damaged records. */
export async function keyUses(dataSource: DataSource): Promise<KeyUse[]> {
  const counts = secretColumns(dataSource).map(
    ({ table, column }) =>
      `SELECT '${table}' AS table, '${column}' AS column, ${keyIdOfRecord(column)} AS "keyId", count(*)::integer AS records
         FROM ${table} WHERE ${column} IS NOT NULL AND substring(${column} FROM 1 FOR 1) = '\\x01' GROUP BY 3`,
  );
  return dataSource.query<KeyUse[]>(`${counts.join(' UNION ALL ')} ORDER BY 1, 2, 3`);
}

/**
 * Re-encrypts all records of other keys with the key of `box`, in small batches while other processes use the rows. Skips
 * records that change in the meantime. Can be interrupted and repeated at any time.
 */
export async function reencrypt(
  dataSource: DataSource,
  box: SecretBox,
  onProgress: (done: number) => void = () => undefined,
): Promise<Reencryption> {
  let reencrypted = 0;
  const unreadable: string[] = [];
  for (const column of secretColumns(dataSource)) {
    for (let after: StoredRecord['id'] | undefined; ;) {
      const records = await nextRecords(dataSource, column, box, after);
      if (records.length === 0) break;
      after = records.at(-1)?.id;
      const changes = records.flatMap((stored) => reencryptedRecord(stored, box));
      const read = new Set(changes.map(({ record }) => record));
      unreadable.push(
        ...records.flatMap(({ record }) => (read.has(record) ? [] : keyIdIn(record))),
      );
      reencrypted += await replaceRecords(dataSource, column, changes);
      onProgress(reencrypted);
    }
  }
  const uses = await keyUses(dataSource);
  const former = uses.filter(({ keyId }) => keyId !== box.keyId && box.keyIds.includes(keyId));
  const damaged = unreadable.filter((keyId) => box.keyIds.includes(keyId)).length;
  const left = former.reduce((sum, { records }) => sum + records, 0) - damaged;
  return { reencrypted, left: Math.max(0, left), unreadable };
}

async function nextRecords(
  dataSource: DataSource,
  { table, column, id, idType }: SecretColumn,
  { keyId }: SecretBox,
  after: StoredRecord['id'] | undefined,
): Promise<StoredRecord[]> {
  return dataSource.query<StoredRecord[]>(
    `SELECT ${id} AS id, ${column} AS record FROM ${table}
      WHERE ${column} IS NOT NULL AND ${keyIdOfRecord(column)} <> $1 AND ($2::${idType} IS NULL OR ${id} > $2)
      ORDER BY ${id} LIMIT ${String(BATCH)}`,
    [keyId, after ?? null],
  );
}

/** Returns an empty list for an unreadable record, so that others are still re-encrypted. */
function reencryptedRecord(
  { id, record }: StoredRecord,
  box: SecretBox,
): (StoredRecord & { renewed: Buffer })[] {
  const rowId = typeof id === 'string' ? id : id.toString('hex');
  try {
    return [{ id, record, renewed: box.seal(box.open(record, rowId), rowId) }];
  } catch (error) {
    if (error instanceof SecretUnreadableError) return [];
    throw error;
  }
}

async function replaceRecords(
  dataSource: DataSource,
  { table, column, id, idType }: SecretColumn,
  changes: readonly (StoredRecord & { renewed: Buffer })[],
): Promise<number> {
  const [, count] = await dataSource.query<[unknown[], number]>(
    `UPDATE ${table} AS stored SET ${column} = change.renewed
       FROM unnest($1::${idType}[], $2::bytea[], $3::bytea[]) AS change (id, record, renewed)
      WHERE stored.${id} = change.id AND stored.${column} = change.record`,
    [
      changes.map((change) => change.id),
      changes.map(({ record }) => record),
      changes.map(({ renewed }) => renewed),
    ],
  );
  return count;
}

/** Returns SQL for the key ID in a record, which follows the version byte. */
function keyIdOfRecord(column: string): string {
  return `encode(substring(${column} FROM 2 FOR 4), 'hex')`;
}
