import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts can switch off analysis rules. */
export class DisabledRules1795610000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE analysis_settings ADD COLUMN disabled_rules text[] NOT NULL DEFAULT '{}'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE analysis_settings DROP COLUMN disabled_rules');
  }
}
