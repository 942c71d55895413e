import type { MigrationInterface, QueryRunner } from 'typeorm';
import { PAGE_FUNCTIONS } from './document-search/pages.js';
import { restoredFunctions } from './restored-functions.js';
import { NARROWING_FUNCTIONS } from './sorted-search/narrowing.js';
import { SLICING_FUNCTIONS } from './sorted-search/slicing.js';
import { TABLES, TRIGGER } from './sorted-search/tables.js';

/** Matches of large accounts in the order of title, updated_at and word_count, without walking through all documents. */
export class SortedSearch1760000013000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...TRIGGER, ...SLICING_FUNCTIONS, ...NARROWING_FUNCTIONS]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER search_positions_freed ON search_blocks');
    await runner.query(
      `DROP FUNCTION search_way, search_sorted, search_enough, search_narrow, search_update_orders, search_slice, search_begin_order,
        search_part, search_order_key, search_free_positions`,
    );
    for (const statement of restoredFunctions(PAGE_FUNCTIONS, 'search_all')) {
      await runner.query(statement);
    }
    await runner.query('DROP TABLE search_slices, search_parts, search_orders');
  }
}
