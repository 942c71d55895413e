import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TAKE_FUNCTION } from './1760000002000-rate-limits.js';
import { CLOCK_TABLE, FOLLOW_FUNCTION } from './clock-steps/database-clock.js';
import { SETTLE_FUNCTION, withStepsBack } from './clock-steps/rate-limits.js';
import { restoredFunctions } from './restored-functions.js';

/** A clock of the database that goes back makes nobody wait; and what Redis counted is settled with PostgreSQL. */
export class ClockSteps1760000018000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(withStepsBack(TAKE_FUNCTION));
    await runner.query(SETTLE_FUNCTION);
    await runner.query(CLOCK_TABLE);
    await runner.query('INSERT INTO database_clock (seen_at) VALUES (clock_timestamp())');
    await runner.query(FOLLOW_FUNCTION);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION follow_database_clock(integer)');
    await runner.query('DROP TABLE database_clock');
    await runner.query('DROP FUNCTION settle_rate_limit(json)');
    for (const statement of restoredFunctions([TAKE_FUNCTION], 'take_rate_limit')) {
      await runner.query(statement);
    }
  }
}
