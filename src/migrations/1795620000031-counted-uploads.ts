import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Uploads count against the storage of their account while they exist. */
export class CountedUploads1795620000031 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- True for a file that a client sent, such as an archive to import; false for results of jobs.
      ALTER TABLE stored_files ADD is_upload boolean NOT NULL DEFAULT false;

      -- Takes the lock of an account until the transaction ends and returns how many documents the account has, the trash
      -- included, and how many bytes, those of uploads included. Waits for three seconds, with a connection in hand. A
      -- volatile function takes a fresh snapshot for each of its statements: what the holder before has committed is
      -- counted.
      CREATE OR REPLACE FUNCTION hold_document_quota(account uuid) RETURNS bigint[] LANGUAGE plpgsql VOLATILE AS $$
      DECLARE
        timeout_before text := current_setting('lock_timeout');
      BEGIN
        PERFORM set_config('lock_timeout', '3000', true);
        PERFORM pg_advisory_xact_lock(quota_lock(account));
        PERFORM set_config('lock_timeout', timeout_before, true);
        RETURN (SELECT ARRAY[coalesce(sum(count), 0)::bigint, coalesce(sum(bytes), 0)::bigint
                  + (SELECT coalesce(sum(stored_bytes), 0)::bigint FROM stored_files
                      WHERE account_id = account AND is_upload AND expires_at > now())]
                  FROM row_counts WHERE account_id = account AND kind IN ('documents', 'documents.deleted'));
      END
      $$;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE OR REPLACE FUNCTION hold_document_quota(account uuid) RETURNS bigint[] LANGUAGE plpgsql VOLATILE AS $$
      DECLARE
        timeout_before text := current_setting('lock_timeout');
      BEGIN
        PERFORM set_config('lock_timeout', '3000', true);
        PERFORM pg_advisory_xact_lock(quota_lock(account));
        PERFORM set_config('lock_timeout', timeout_before, true);
        RETURN (SELECT ARRAY[coalesce(sum(count), 0)::bigint, coalesce(sum(bytes), 0)::bigint]
                  FROM row_counts WHERE account_id = account AND kind IN ('documents', 'documents.deleted'));
      END
      $$;
      ALTER TABLE stored_files DROP COLUMN is_upload;
    `);
  }
}
