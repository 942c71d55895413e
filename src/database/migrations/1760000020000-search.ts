import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SEARCH } from '../schema/search.js';

/** Search and filters. */
export class Search1760000020000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SEARCH.up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(SEARCH.down);
  }
}
