import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The label of the browser token that sent a request (docs/adr/0041-reach-and-browser-tokens.md). */
export class TokenLabels1795636000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE request_log ADD token_label text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE request_log DROP COLUMN token_label');
  }
}
