import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The position up to which the retention has removed events of an account. Cursors below it have a gap. */
export class EventHorizons1795510000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE event_horizons (
  account_id uuid CONSTRAINT event_horizons_pkey PRIMARY KEY,
  position bigint NOT NULL
)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE event_horizons');
  }
}
