import type { MigrationInterface, QueryRunner } from 'typeorm';
import { BLOCK_FUNCTIONS } from './document-search/blocks.js';
import { FACET_FUNCTIONS as FACETS_BEFORE } from './document-search/facets.js';
import { INDEXING_FUNCTIONS as INDEXING_BEFORE } from './document-search/indexing.js';
import { MATCHES_FUNCTIONS as MATCHES_BEFORE } from './document-search/matches.js';
import { MATCHING_FUNCTIONS } from './document-search/matching.js';
import { PAGE_FUNCTIONS as PAGES_BEFORE } from './document-search/pages.js';
import { RANKING_FUNCTIONS as RANKING_BEFORE } from './document-search/ranking.js';
import { FACET_FUNCTIONS } from './faster-search/facets.js';
import { INDEXING_FUNCTIONS } from './faster-search/indexing.js';
import { MATCHES_FUNCTIONS } from './faster-search/matches.js';
import { MOVE_BACK, MOVE_THERE } from './faster-search/moving.js';
import { PAGE_FUNCTIONS } from './faster-search/pages.js';
import { RANKING_FUNCTIONS } from './faster-search/ranking.js';
import { TABLE } from './faster-search/table.js';
import { functionName, restoredFunctions } from './restored-functions.js';

const NOW = [
  ...INDEXING_FUNCTIONS,
  ...MATCHES_FUNCTIONS,
  ...RANKING_FUNCTIONS,
  ...PAGE_FUNCTIONS,
  ...FACET_FUNCTIONS,
];

/** No longer needed. */
const DROPPED = 'search_count_terms';

/** The same functions as the migration before made them. */
const BEFORE = restoredFunctions(
  [
    ...INDEXING_BEFORE,
    ...BLOCK_FUNCTIONS,
    ...MATCHING_FUNCTIONS,
    ...RANKING_BEFORE,
    ...MATCHES_BEFORE,
    ...PAGES_BEFORE,
    ...FACETS_BEFORE,
  ],
  DROPPED,
  ...NOW.map((statement) => functionName(statement) ?? ''),
);

/**
 * Lists of large accounts: the values that facets count have a table of their own in the search index, functions are
 * planned once for a connection, and ranking and highlights take fewer steps.
 */
export class FasterSearch1760000012000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLE, ...NOW, ...MOVE_THERE]) await runner.query(statement);
    await runner.query(`DROP FUNCTION ${DROPPED}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [...MOVE_BACK, ...BEFORE, ...DROP_NEW]) await runner.query(statement);
  }
}

const DROP_NEW = [
  'DROP FUNCTION search_count_values',
  'DROP FUNCTION search_bits_of',
  'DROP TABLE search_values',
];
