import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whether somebody has proved that a user's e-mail address is theirs, and the tokens by which mailed invitations prove it.
 * Removes API keys and webhook secrets that earlier releases wrote into the request log.
 */
export class VerifiedAddresses1795530000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- When the address was proved by a mailed link or a sign-in provider, or an operator vouched for it.
      ALTER TABLE users ADD email_verified_at timestamptz(3);
      -- SHA-256 of the token that is only ever sent by mail: whoever has it can read mail to the address.
      ALTER TABLE one_time_links ADD mailed_token_hash bytea;
      CREATE UNIQUE INDEX one_time_links_mailed_token_hash_key ON one_time_links (mailed_token_hash);

      -- Everybody but those who chose a password themselves, with no operator's link and no provider.
      UPDATE users SET email_verified_at = created_at
       WHERE NOT EXISTS (SELECT FROM user_credentials WHERE user_id = users.id AND NOT is_vouched)
          OR EXISTS (SELECT FROM user_identities WHERE user_id = users.id);

      UPDATE request_log
         SET error = regexp_replace(error::text, '(ds_live_|whsec_)[A-Za-z0-9+/=_-]*', 'REDACTED', 'g')::json,
             user_agent = regexp_replace(user_agent, '(ds_live_|whsec_)[A-Za-z0-9+/=_-]*', 'REDACTED', 'g')
       WHERE error::text ~ 'ds_live_|whsec_' OR user_agent ~ 'ds_live_|whsec_';
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP INDEX one_time_links_mailed_token_hash_key;
      ALTER TABLE one_time_links DROP COLUMN mailed_token_hash;
      ALTER TABLE users DROP COLUMN email_verified_at;
    `);
  }
}
