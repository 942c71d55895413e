import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Collections of documents, and who can use them (docs/adr/0043-collections-and-rights.md). */
export class Collections1795640000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
-- In the order in which the look-up of a key reads the tables, so that the two cannot deadlock.
-- Collections that the key is limited to, with all below them. Null: no limit. Empty: nothing.
ALTER TABLE api_keys ADD COLUMN collections uuid[];
-- Rises with every change of the account's collections. 0: the account never had one.
ALTER TABLE accounts ADD COLUMN access_epoch bigint NOT NULL DEFAULT 0;

CREATE TABLE collections (
  id uuid CONSTRAINT collections_pkey PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT collections_account_id_fkey REFERENCES accounts ON DELETE CASCADE,
  -- Null: at the root.
  parent_id uuid,
  name text COLLATE "C" NOT NULL,
  -- {"everyone": right or null, "people": [{"userId": uuid, "right": right}]}. Null: as the parent.
  access jsonb,
  version integer NOT NULL,
  -- Null once that person has left the account.
  created_by uuid,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  -- A deleted collection stays as long as documents in the trash refer to it.
  deleted_at timestamptz(3)
);
CREATE INDEX collections_account_id_created_at_idx ON collections (account_id, created_at, id);
CREATE INDEX collections_deleted_at_idx ON collections (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE FUNCTION raise_access_epoch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts SET access_epoch = access_epoch + 1 WHERE id IN (SELECT account_id FROM changed);
  RETURN NULL;
END
$$;
CREATE TRIGGER raise_epoch_added AFTER INSERT ON collections
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_access_epoch();
CREATE TRIGGER raise_epoch_changed AFTER UPDATE ON collections
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_access_epoch();
CREATE TRIGGER raise_epoch_removed AFTER DELETE ON collections
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION raise_access_epoch();

-- Removes what a former member could do, so that an invitation does not give it back.
CREATE FUNCTION forget_member_in_collections() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE collections
     SET created_by = nullif(created_by, OLD.user_id),
         version = version + 1,
         access = jsonb_set(access, '{people}', (
           SELECT coalesce(jsonb_agg(entry ORDER BY place), '[]')
             FROM jsonb_array_elements(access -> 'people') WITH ORDINALITY AS list (entry, place)
            WHERE entry ->> 'userId' <> OLD.user_id::text))
   WHERE account_id = OLD.account_id
     AND (created_by = OLD.user_id
          OR access -> 'people' @> jsonb_build_array(jsonb_build_object('userId', OLD.user_id)));
  RETURN NULL;
END
$$;
CREATE TRIGGER forget_in_collections AFTER DELETE ON members
  FOR EACH ROW EXECUTE FUNCTION forget_member_in_collections();
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
DROP TRIGGER forget_in_collections ON members;
DROP TABLE collections;
DROP FUNCTION forget_member_in_collections(), raise_access_epoch();
ALTER TABLE accounts DROP COLUMN access_epoch;
ALTER TABLE api_keys DROP COLUMN collections;
`);
  }
}

/**
 * The collection of each document. Operators of large databases can run these statements before the upgrade, the indexes
 * with CONCURRENTLY.
 */
export class DocumentCollections1795640000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
-- The zero UUID is the root. A constant default needs no rewrite.
ALTER TABLE documents ADD COLUMN IF NOT EXISTS collection_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';
CREATE INDEX IF NOT EXISTS documents_collection_id_idx ON documents (account_id, collection_id, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS documents_deleted_collection_id_idx ON documents (account_id, collection_id, created_at, id)
  WHERE deleted_at IS NOT NULL;
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE documents DROP COLUMN collection_id');
  }
}
