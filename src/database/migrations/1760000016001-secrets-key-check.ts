import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells a wrong SECRETS_KEY at the start. One row at most; the first start writes it. */
export class SecretsKeyCheck1760000016001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE secrets_key_check (
      only_row boolean NOT NULL DEFAULT true
        CONSTRAINT secrets_key_check_pkey PRIMARY KEY CONSTRAINT secrets_key_check_only_row_check CHECK ("only_row"),
      check_encrypted bytea)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE secrets_key_check');
  }
}
