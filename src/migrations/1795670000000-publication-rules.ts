import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What documents need to be published (docs/adr/0046-publication-rules.md). No table is rewritten. */
export class PublicationRules1795670000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
-- The first rule that fits a document applies.
ALTER TABLE publishing_settings ADD COLUMN rules jsonb NOT NULL DEFAULT '[]';
-- Whether somebody published the version despite its problems.
ALTER TABLE publication_history ADD COLUMN overridden boolean NOT NULL DEFAULT false;
-- When a worker last ordered missing analyses. Null after a change of the release.
ALTER TABLE releases ADD COLUMN checks_ordered_at timestamptz(3);
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE releases DROP COLUMN checks_ordered_at;
ALTER TABLE publication_history DROP COLUMN overridden;
ALTER TABLE publishing_settings DROP COLUMN rules;
`);
  }
}
