import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What was removed for good, until the texts in its events are gone too; and the way from a document to its events. */
export class RemovedSubjects1760000016002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE removed_subjects (
      id uuid CONSTRAINT removed_subjects_pkey PRIMARY KEY,
      position bigint NOT NULL,
      erased_to bigint NOT NULL DEFAULT 0)`);
    await runner.query(
      'CREATE INDEX events_subject_id_position_idx ON events (subject_id, position)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX events_subject_id_position_idx');
    await runner.query('DROP TABLE removed_subjects');
  }
}
