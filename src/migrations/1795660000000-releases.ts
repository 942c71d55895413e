import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Documents that are published or unpublished together, now or at a set time (docs/adr/0045-releases.md). */
export class Releases1795660000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE releases (
  id uuid CONSTRAINT releases_pkey PRIMARY KEY,
  account_id uuid NOT NULL,
  -- Null: the schedule of a document.
  title text,
  status text NOT NULL,
  -- Null: whenever somebody publishes it.
  publish_at timestamptz(3),
  -- IANA name, only shown.
  time_zone text,
  -- When a worker tries to publish it: publish_at, or later after a failed attempt. Null unless it is scheduled.
  due_at timestamptz(3),
  -- The order of lists: publish_at, or created_at without one.
  listed_at timestamptz(3) NOT NULL,
  version integer NOT NULL,
  created_by uuid NOT NULL,
  -- Who made the last change. The service publishes for this person.
  updated_by uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  -- When it was published, failed or was canceled.
  finished_at timestamptz(3)
);
CREATE INDEX releases_due_at_idx ON releases (due_at) WHERE status = 'scheduled';
CREATE INDEX releases_created_at_idx ON releases (account_id, created_at, id);
CREATE INDEX releases_updated_at_idx ON releases (account_id, updated_at, id);
CREATE INDEX releases_listed_at_idx ON releases (account_id, listed_at, id);
CREATE INDEX releases_finished_at_idx ON releases (finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE release_items (
  release_id uuid NOT NULL CONSTRAINT release_items_release_id_fkey REFERENCES releases ON DELETE CASCADE,
  -- No foreign key: the release of a permanently deleted document fails, and says why.
  document_id uuid NOT NULL,
  account_id uuid NOT NULL,
  -- The order of the request.
  position smallint NOT NULL,
  -- publish or unpublish.
  action text NOT NULL,
  -- Null: the current version, until the release is scheduled or published. Always null for unpublish.
  version integer,
  -- The number of the document's last publication when the version was fixed. Null unless it was scheduled.
  seen_number integer,
  -- published, unpublished or superseded. Null until then.
  outcome text,
  -- Why the document was refused.
  problems json,
  CONSTRAINT release_items_pkey PRIMARY KEY (release_id, document_id)
);
CREATE INDEX release_items_document_id_idx ON release_items (document_id);
CREATE INDEX release_items_account_id_idx ON release_items (account_id);
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE release_items, releases');
  }
}
