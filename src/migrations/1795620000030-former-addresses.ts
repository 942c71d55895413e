import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The address that an unverified user lost to the person who proved it, who has seen the notice about that, and the used
 * attempts to sign in with a provider.
 */
export class FormerAddresses1795620000030 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- The address of a user who was set apart, because somebody else proved that it is theirs.
      ALTER TABLE users ADD former_email text;
      -- When the owner of an address dismissed the notice that somebody else had signed up with it.
      ALTER TABLE users ADD former_user_seen_at timestamptz(3);
      CREATE INDEX users_former_email_idx ON users (former_email) WHERE former_email IS NOT NULL;

      -- Sign-ins with a provider that came back, so that a copy of the browser's cookie cannot finish them again.
      CREATE TABLE used_oidc_attempts (
        -- SHA-256 of the state that the provider returns.
        state_hash bytea CONSTRAINT used_oidc_attempts_pkey PRIMARY KEY,
        -- When the cookie of the attempt is no longer accepted, so that the row can be removed.
        expires_at timestamptz(3) NOT NULL
      );
      CREATE INDEX used_oidc_attempts_expires_at_idx ON used_oidc_attempts (expires_at);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE used_oidc_attempts;
      DROP INDEX users_former_email_idx;
      ALTER TABLE users DROP COLUMN former_user_seen_at;
      ALTER TABLE users DROP COLUMN former_email;
    `);
  }
}
