import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens that stand for a key, and apps that people connect with OAuth (docs/adr/0040-oauth-for-apps.md). */
export class AccessTokens1795631000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
-- Who can connect apps.
ALTER TABLE accounts
  ADD connected_apps text NOT NULL DEFAULT 'everyone',
  ADD CONSTRAINT accounts_connected_apps_check CHECK ("connected_apps" IN ('everyone', 'admins', 'nobody'));

-- The app that uses the key, {id, name, host}; null for a key that a program sends itself.
ALTER TABLE api_keys ADD client jsonb;
CREATE INDEX api_keys_apps_idx ON api_keys (account_id, user_id) WHERE client IS NOT NULL;

CREATE TABLE access_tokens (
  -- SHA-256; the token itself is shown once and not kept.
  hash bytea CONSTRAINT access_tokens_pkey PRIMARY KEY,
  id uuid NOT NULL,
  key_id uuid NOT NULL CONSTRAINT access_tokens_key_id_fkey REFERENCES api_keys ON DELETE CASCADE,
  kind text NOT NULL,
  scopes text[] NOT NULL,
  -- The documents of a browser token: {ids} or {tags}; null is all.
  documents jsonb,
  minute_limit integer,
  label text,
  -- When a refresh token was replaced.
  rotated_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT access_tokens_kind_check CHECK ("kind" IN ('access', 'refresh', 'browser'))
);
CREATE INDEX access_tokens_key_id_idx ON access_tokens (key_id, kind, created_at);
CREATE INDEX access_tokens_expires_at_idx ON access_tokens (expires_at);

CREATE TABLE authorization_codes (
  -- SHA-256 of the code.
  hash bytea CONSTRAINT authorization_codes_pkey PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT authorization_codes_account_id_fkey REFERENCES accounts ON DELETE CASCADE,
  user_id uuid NOT NULL CONSTRAINT authorization_codes_user_id_fkey REFERENCES users ON DELETE CASCADE,
  -- The app: {id, name, host}.
  client jsonb NOT NULL,
  redirect_uri text NOT NULL,
  code_challenge text NOT NULL,
  resource text,
  scopes text[] NOT NULL,
  -- Days that the access lasts.
  days integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  -- The key that the exchange made, so that a second use can end it.
  key_id uuid
);
CREATE INDEX authorization_codes_account_id_idx ON authorization_codes (account_id);
CREATE INDEX authorization_codes_user_id_idx ON authorization_codes (user_id);
CREATE INDEX authorization_codes_expires_at_idx ON authorization_codes (expires_at);
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
DROP TABLE authorization_codes, access_tokens;
DELETE FROM api_keys WHERE client IS NOT NULL;
ALTER TABLE api_keys DROP COLUMN client;
ALTER TABLE accounts DROP COLUMN connected_apps;
`);
  }
}
