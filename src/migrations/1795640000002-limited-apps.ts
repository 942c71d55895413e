import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The collections that a person limits an app to (docs/adr/0043-collections-and-rights.md). A migration of its own, because the
 * exchange of a code locks this table before the keys.
 */
export class LimitedApps1795640000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
-- With all below them. Null: no limit.
ALTER TABLE authorization_codes ADD COLUMN collections uuid[];
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE authorization_codes DROP COLUMN collections');
  }
}
