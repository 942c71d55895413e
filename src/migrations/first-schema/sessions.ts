import type { SchemaArea } from './schema-area.js';

/** How people sign in: passwords, providers, second factors, sessions, links that work once. */
export const SESSIONS: SchemaArea = {
  up: `
-- Who signs in by a provider only has no row.
CREATE TABLE user_credentials (
  user_id uuid CONSTRAINT user_credentials_pkey PRIMARY KEY
    CONSTRAINT user_credentials_user_id_fkey REFERENCES users ON DELETE CASCADE,
  -- argon2id, in the PHC form with its parameters.
  password_hash text NOT NULL,
  -- Whether the operator gave the link by which the password was set. A password that somebody chose by himself, or by an
  -- invitation, does not show that the e-mail address is his.
  is_vouched boolean NOT NULL,
  changed_at timestamptz(3) NOT NULL
);

-- Users as OpenID Connect providers know them.
CREATE TABLE user_identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL CONSTRAINT user_identities_user_id_fkey REFERENCES users ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT user_identities_pkey PRIMARY KEY (issuer, subject)
);
CREATE INDEX user_identities_user_id_idx ON user_identities (user_id);

CREATE TABLE user_second_factors (
  user_id uuid CONSTRAINT user_second_factors_pkey PRIMARY KEY
    CONSTRAINT user_second_factors_user_id_fkey REFERENCES users ON DELETE CASCADE,
  secret_encrypted bytea NOT NULL,
  -- Null until the first code shows that the app has the secret; only then it is asked for.
  confirmed_at timestamptz(3),
  -- The time step (RFC 6238) of the last code that was taken: it and those before are not taken again.
  last_used_step integer,
  -- SHA-256 of the recovery codes that are left.
  recovery_hashes bytea[] NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL
);

CREATE TABLE sessions (
  id uuid CONSTRAINT sessions_pkey PRIMARY KEY,
  -- SHA-256; the token itself is in the cookie only.
  token_hash bytea NOT NULL,
  user_id uuid NOT NULL CONSTRAINT sessions_user_id_fkey REFERENCES users ON DELETE CASCADE,
  address text,
  user_agent text,
  created_at timestamptz(3) NOT NULL,
  -- Written at most once a minute.
  seen_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX sessions_token_hash_key ON sessions (token_hash);
CREATE INDEX sessions_user_id_idx ON sessions (user_id, seen_at);
CREATE INDEX sessions_seen_at_idx ON sessions (seen_at);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);

-- Links to begin with, to join an account, and to set a new password. Each works once.
CREATE TABLE one_time_links (
  id uuid CONSTRAINT one_time_links_pkey PRIMARY KEY,
  -- SHA-256; the token itself is in the link only.
  token_hash bytea NOT NULL,
  purpose text NOT NULL,
  -- Whose password it sets; null where the user is still to be made.
  user_id uuid CONSTRAINT one_time_links_user_id_fkey REFERENCES users ON DELETE CASCADE,
  -- Null where whoever uses it says which.
  email text,
  -- What an invitation leads to, and who invites.
  account_id uuid CONSTRAINT one_time_links_account_id_fkey REFERENCES accounts ON DELETE CASCADE,
  role text,
  invited_by uuid CONSTRAINT one_time_links_invited_by_fkey REFERENCES users ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  revoked_at timestamptz(3),
  CONSTRAINT one_time_links_purpose_check CHECK ("purpose" IN ('first-run', 'invitation', 'password'))
);
CREATE UNIQUE INDEX one_time_links_token_hash_key ON one_time_links (token_hash);
CREATE INDEX one_time_links_account_id_idx ON one_time_links (account_id, created_at);
CREATE INDEX one_time_links_user_id_idx ON one_time_links (user_id);
CREATE INDEX one_time_links_expires_at_idx ON one_time_links (expires_at);

-- How much of their attempts to sign in addresses and e-mail addresses have used up.
CREATE TABLE sign_in_attempts (
  -- SHA-256 of what is limited: it may be the e-mail address of somebody who is no user.
  bucket bytea CONSTRAINT sign_in_attempts_pkey PRIMARY KEY,
  -- When the last of its attempts is forgotten; each attempt moves it on.
  empty_at timestamptz(3) NOT NULL
);
CREATE INDEX sign_in_attempts_empty_at_idx ON sign_in_attempts (empty_at);
`,
  down: `
DROP TABLE sign_in_attempts, one_time_links, sessions, user_second_factors, user_identities, user_credentials;
`,
};
