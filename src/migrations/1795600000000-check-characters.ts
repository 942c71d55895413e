import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the daily number of characters that editors had checked. The constant default needs no rewrite of the table. */
export class CheckCharacters1795600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE analysis_usage ADD COLUMN check_characters bigint NOT NULL DEFAULT 0',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE analysis_usage DROP COLUMN check_characters');
  }
}
