import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whose the outcome of a request is: the principal's that asked, not the whole account's. What is stored before belongs
 * to nobody and may hold secrets; it would live for 24 hours at most. Without a value are rows of processes of the
 * release before, which this one never finds.
 */
export class OutcomesOfPrincipals1760000016000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('TRUNCATE idempotency_keys');
    await runner.query('ALTER TABLE idempotency_keys ADD principal_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('TRUNCATE idempotency_keys');
    await runner.query('ALTER TABLE idempotency_keys DROP principal_id');
  }
}
