import type { MigrationInterface, QueryRunner } from 'typeorm';
import { BLOCK_FUNCTIONS } from './document-search/blocks.js';
import { FACET_FUNCTIONS as FACETS_BEFORE } from './faster-search/facets.js';
import { MATCHES_FUNCTIONS as MATCHES_BEFORE } from './faster-search/matches.js';
import { FACET_FUNCTIONS } from './remembered-facets/facets.js';
import { MATCHES_FUNCTIONS } from './remembered-facets/matches.js';
import { restoredFunctions } from './restored-functions.js';
import { PLAIN_BITS, PROGRESS_FUNCTIONS, TABLE } from './remembered-facets/progress.js';

/** The same functions as the migrations before made them. */
const BEFORE = restoredFunctions(
  [...MATCHES_BEFORE, ...FACETS_BEFORE, ...BLOCK_FUNCTIONS],
  'search_blocks_of',
  'search_matches',
  'search_count_values',
  'search_facets',
  'search_update',
  'note_search_changes',
);

/** Facets that were counted before are not counted again until a document changes, and others take fewer steps. */
export class RememberedFacets1760000014000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const functions = [...MATCHES_FUNCTIONS, ...FACET_FUNCTIONS, ...PROGRESS_FUNCTIONS];
    for (const statement of [...TABLE, ...PLAIN_BITS, ...functions]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [...BEFORE, ...DROP_NEW]) await runner.query(statement);
  }
}

const DROP_NEW = [
  'ALTER TABLE search_blocks ALTER live SET STORAGE EXTENDED',
  'DROP FUNCTION search_facets_since',
  'DROP FUNCTION search_state',
  'DROP FUNCTION search_proceed',
  'DROP TABLE search_progress',
];
