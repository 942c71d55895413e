import type { DataSource } from 'typeorm';
import { SecretsKeyCheckEntity } from './tables.js';
import { keyIdIn, SecretUnreadableError, type SecretBox } from './secret-box.js';

/** Records that are read and written at once. */
const BATCH = 100;

/** Whatever ends so is a record of `SecretBox`, bound to the first column of its table's primary key. */
const ENDING = '_encrypted';

/** A column of records of `SecretBox`. */
export interface SecretColumn {
  table: string;
  column: string;
  /** The primary key, which each record is bound to. */
  id: string;
  idType: 'uuid' | 'bytea';
}

/** How many records of a column one key has encrypted. */
export interface KeyUse {
  table: string;
  column: string;
  keyId: string;
  records: number;
}

/** What a re-encryption did, and what it could not do. */
export interface Reencryption {
  reencrypted: number;
  /** Records of former keys that were added meanwhile, by processes that still write with one. */
  left: number;
  /** The keys of records that could not be read, one for each record: they are not here, or the record is damaged. */
  unreadable: string[];
}

interface StoredRecord {
  id: string | Buffer;
  record: Buffer;
}

/** Every column of encrypted records, found by its name: no list to keep up with. */
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

/** By how many records each key is needed; damaged ones belong to none. */
export async function keyUses(dataSource: DataSource): Promise<KeyUse[]> {
  const counts = secretColumns(dataSource).map(
    ({ table, column }) =>
      `SELECT '${table}' AS table, '${column}' AS column, ${keyIdOfRecord(column)} AS "keyId", count(*)::integer AS records
         FROM ${table} WHERE ${column} IS NOT NULL AND substring(${column} FROM 1 FOR 1) = '\\x01' GROUP BY 3`,
  );
  return dataSource.query<KeyUse[]>(`${counts.join(' UNION ALL ')} ORDER BY 1, 2, 3`);
}

/**
 * Encrypts with the key of `box` whatever another one has encrypted, in small steps beside processes that read and write
 * the same rows: a record that changes meanwhile stays as it became. May be ended and begun again at any time.
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

/** Nothing for a record that cannot be read: others must not wait for it. */
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

/** The id of the key stands behind the first byte, which is the version of the layout. */
function keyIdOfRecord(column: string): string {
  return `encode(substring(${column} FROM 2 FOR 4), 'hex')`;
}
