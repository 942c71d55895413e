import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Versions that were imported count against the storage of their account like the text that they hold. */
export class CountedImports1795620000032 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- UTF-8 bytes of the old versions that came with the document from an archive. They count until it is removed.
      ALTER TABLE documents ADD imported_version_bytes bigint NOT NULL DEFAULT 0;
    `);
    await queryRunner.query(
      countDocuments(
        'document_bytes(title, content, metadata, ai_settings) + imported_version_bytes',
      ),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      countDocuments('document_bytes(title, content, metadata, ai_settings)'),
    );
    await queryRunner.query('ALTER TABLE documents DROP COLUMN imported_version_bytes');
  }
}

/** Returns the trigger function of documents, which counts `bytes` for each. */
function countDocuments(bytes: string): string {
  return `
CREATE OR REPLACE FUNCTION count_documents() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  own_slot smallint := row_count_slot();
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO row_counts AS totals (account_id, kind, slot, count, bytes)
    SELECT account_id, CASE WHEN deleted_at IS NULL THEN 'documents' ELSE 'documents.deleted' END AS kind,
           own_slot, count(*), sum(${bytes})
      FROM added GROUP BY 1, 2
    ON CONFLICT (account_id, kind, slot)
      DO UPDATE SET count = totals.count + EXCLUDED.count, bytes = totals.bytes + EXCLUDED.bytes;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO row_counts AS totals (account_id, kind, slot, count, bytes)
    SELECT account_id, CASE WHEN deleted_at IS NULL THEN 'documents' ELSE 'documents.deleted' END AS kind,
           own_slot, -count(*), -sum(${bytes})
      FROM removed GROUP BY 1, 2
    ON CONFLICT (account_id, kind, slot)
      DO UPDATE SET count = totals.count + EXCLUDED.count, bytes = totals.bytes + EXCLUDED.bytes;
  ELSE
    INSERT INTO row_counts AS totals (account_id, kind, slot, count, bytes)
    SELECT account_id, kind, own_slot, sum(rows), sum(bytes)
      FROM (SELECT account_id, CASE WHEN deleted_at IS NULL THEN 'documents' ELSE 'documents.deleted' END AS kind,
                   1 AS rows, ${bytes} AS bytes FROM added
            UNION ALL
            SELECT account_id, CASE WHEN deleted_at IS NULL THEN 'documents' ELSE 'documents.deleted' END,
                   -1, -(${bytes}) FROM removed) AS changes
     GROUP BY 1, 2 HAVING sum(rows) <> 0 OR sum(bytes) <> 0
    ON CONFLICT (account_id, kind, slot)
      DO UPDATE SET count = totals.count + EXCLUDED.count, bytes = totals.bytes + EXCLUDED.bytes;
  END IF;
  RETURN NULL;
END
$$;`;
}
