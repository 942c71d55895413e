import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells long jobs from short ones. A constant default needs no rewrite of the table, and older processes leave it out. */
export class LongJobs1795520000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE jobs ADD COLUMN is_long boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE jobs DROP COLUMN is_long');
  }
}
