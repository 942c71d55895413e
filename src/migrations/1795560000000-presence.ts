import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who views and edits documents at the moment. */
export class Presence1795560000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- Rows are renewed every few seconds. No index has expires_at, so that a renewal changes no index.
      CREATE UNLOGGED TABLE presence (
        account_id uuid NOT NULL,
        document_id uuid NOT NULL,
        -- The user, or the API key.
        principal_id uuid NOT NULL,
        state text NOT NULL,
        -- The process with the streams that count as viewing; zero for rows that clients set.
        source uuid NOT NULL,
        user_id uuid NOT NULL,
        key_id uuid,
        since timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT presence_pkey PRIMARY KEY (account_id, document_id, principal_id, state, source),
        CONSTRAINT presence_state_check CHECK ("state" IN ('viewing', 'editing'))
      ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE presence');
  }
}
