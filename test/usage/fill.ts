import type { DataSource } from 'typeorm';
import type { TestAccount } from '../support/accounts.js';

/** Documents of five bytes each, made by SQL as a restore would: the triggers count them. */
export async function fillDocuments(
  dataSource: DataSource,
  { accountId, userId }: TestAccount,
  count: number,
): Promise<void> {
  await dataSource.query(
    `INSERT INTO documents (id, account_id, title, type, content, excerpt, status, metadata, ai_settings, word_count,
                            version, created_by, created_at, updated_at)
     SELECT uuid_v7(), $1, 'x', 'document', '', '', 'draft', '{}', '{}', 0, 1, $2, now(), now()
       FROM generate_series(1, $3::int)`,
    [accountId, userId, count],
  );
}

/** Counts bytes as if documents had them; really writing gigabytes takes too long. */
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
