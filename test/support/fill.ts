import type { DataSource } from 'typeorm';
import type { TestAccount } from './accounts.js';

/** SQL for the value in each column of document number `n`. */
const COLUMNS = {
  title: "'x'",
  content: "''",
  metadata: "'{}'",
  word_count: '0',
  created_at: 'now()',
};

/** Inserts documents by SQL as a restore would, with five bytes each by default. The triggers count them. */
export async function fillDocuments(
  dataSource: DataSource,
  { accountId, userId }: Pick<TestAccount, 'accountId' | 'userId'>,
  count: number,
  columns: Partial<typeof COLUMNS> = {},
): Promise<void> {
  const all = { ...COLUMNS, ...columns };
  await dataSource.query(
    `INSERT INTO documents (id, account_id, created_by, type, excerpt, status, ai_settings, version, updated_at,
                            ${Object.keys(all).join(', ')})
     SELECT uuid_v7(), $1, $2, 'document', '', 'draft', '{}', 1, now(), ${Object.values(all).join(', ')}
       FROM generate_series(1, $3::integer) AS n`,
    [accountId, userId, count],
  );
}

/** Counts bytes as if documents had them, because writing gigabytes takes too long. */
export async function fillStorage(
  dataSource: DataSource,
  { accountId }: TestAccount,
  bytes: number,
): Promise<void> {
  await dataSource.query(
    `INSERT INTO row_counts (account_id, kind, slot, count, bytes) VALUES ($1, 'documents', 0, 0, $2)`,
    [accountId, bytes],
  );
}
