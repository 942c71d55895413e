import type { SchemaArea } from './schema-area.js';

/** Who uses the service: accounts (the customers), their users, and API keys. */
export const IDENTITY: SchemaArea = {
  up: `
CREATE TABLE accounts (
  id uuid CONSTRAINT accounts_pkey PRIMARY KEY,
  name text NOT NULL,
  plan text NOT NULL,
  -- Requests a window, only of the plan enterprise; null is unlimited.
  minute_limit integer,
  hour_limit integer,
  day_limit integer,
  created_at timestamptz(3) NOT NULL,
  -- When somebody has put the first steps of the dashboard aside.
  first_steps_dismissed_at timestamptz(3),
  -- Since when the operator has it suspended: it is refused, and workers do nothing for it.
  suspended_at timestamptz(3),
  CONSTRAINT accounts_plan_check CHECK ("plan" IN ('free', 'plus', 'pro', 'enterprise'))
);

CREATE TABLE users (
  id uuid CONSTRAINT users_pkey PRIMARY KEY,
  -- Normalised, so that equal addresses are equal text.
  email text NOT NULL,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX users_email_key ON users (email);

CREATE TABLE members (
  account_id uuid NOT NULL CONSTRAINT members_account_id_fkey REFERENCES accounts ON DELETE CASCADE,
  user_id uuid NOT NULL CONSTRAINT members_user_id_fkey REFERENCES users ON DELETE CASCADE,
  role text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT members_pkey PRIMARY KEY (account_id, user_id),
  CONSTRAINT members_role_check CHECK ("role" IN ('owner', 'admin', 'member', 'viewer'))
);
CREATE INDEX members_user_id_idx ON members (user_id);

CREATE TABLE api_keys (
  id uuid CONSTRAINT api_keys_pkey PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT api_keys_account_id_fkey REFERENCES accounts ON DELETE CASCADE,
  user_id uuid NOT NULL CONSTRAINT api_keys_user_id_fkey REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  -- SHA-256; the key itself is shown once and not kept.
  key_hash bytea NOT NULL,
  last_four text NOT NULL,
  scopes text[] NOT NULL,
  -- Addresses and networks that may use the key; empty allows all.
  allowed_ips text[] NOT NULL DEFAULT '{}',
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  -- The key that took over by a rotation.
  replaced_by uuid,
  last_used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX api_keys_key_hash_key ON api_keys (key_hash);
CREATE INDEX api_keys_account_id_created_at_idx ON api_keys (account_id, created_at, id);
`,
  down: `
DROP TABLE api_keys, members, users, accounts;
`,
};
