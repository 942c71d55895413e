import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users can be service accounts, which own API keys and never sign in (docs/adr/0005-api-keys-and-permissions.md). */
export class ServiceAccounts1795632000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE users ADD COLUMN kind text NOT NULL DEFAULT 'person'
  CONSTRAINT users_kind_check CHECK (kind IN ('person', 'service'));
`);
  }

  /** The rows of service accounts stay, because documents and keys refer to them. None of them can sign in. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP COLUMN kind');
  }
}
