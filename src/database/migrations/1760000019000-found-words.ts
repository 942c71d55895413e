import type { MigrationInterface, QueryRunner } from 'typeorm';
import { INDEXING_FUNCTIONS } from './document-search/indexing.js';
import { MATCHING_FUNCTIONS } from './document-search/matching.js';
import { TERM_FUNCTIONS as TERMS_BEFORE } from './document-search/terms.js';
import { PAGE_FUNCTIONS as PAGES_BEFORE } from './faster-search/pages.js';
import { SEARCH_MATCHES } from './found-words/either.js';
import { FRAGMENT_FUNCTION } from './found-words/fragments.js';
import { PHRASE_FUNCTIONS } from './found-words/phrases.js';
import { TERM_FUNCTIONS } from './found-words/terms.js';
import { TABLE, UPKEEP_FUNCTIONS } from './found-words/upkeep.js';
import { WORD_FUNCTIONS } from './found-words/words.js';
import { MATCHES_FUNCTIONS as MATCHES_BEFORE } from './remembered-facets/matches.js';
import { PROGRESS_FUNCTIONS } from './remembered-facets/progress.js';
import { functionName, restoredFunctions } from './restored-functions.js';

const NOW = [
  ...WORD_FUNCTIONS,
  ...TERM_FUNCTIONS,
  ...PHRASE_FUNCTIONS,
  FRAGMENT_FUNCTION,
  SEARCH_MATCHES,
  ...UPKEEP_FUNCTIONS,
];
const NEW = NOW.filter((statement) => statement.startsWith('CREATE FUNCTION'));

/** No longer needed. */
const DROPPED = ['search_words', 'search_stem', 'search_places'];

/** The same functions as the migrations before made them. */
const BEFORE = restoredFunctions(
  [
    ...TERMS_BEFORE,
    ...INDEXING_FUNCTIONS,
    ...MATCHING_FUNCTIONS,
    ...PAGES_BEFORE,
    ...MATCHES_BEFORE,
    ...PROGRESS_FUNCTIONS,
  ],
  ...DROPPED,
  ...NOW.filter((statement) => !NEW.includes(statement)).map(
    (statement) => functionName(statement) ?? '',
  ),
);

/**
 * What is indexed is not what it was: the index begins anew, and every document waits for the worker, the oldest first.
 * Whoever follows the index or reads it comes before this, or waits.
 */
const BEGIN_ANEW = [
  `TRUNCATE search_changes, search_progress, search_blocks, search_entries, search_postings, search_bitmaps, search_values,
            search_counts, search_orders, search_parts, search_slices`,
  `INSERT INTO search_changes (account_id, document_id)
   SELECT account_id, id FROM documents ORDER BY created_at, id`,
];

/** Words are found with and without their accents, and what cannot be put into the index in time is set aside. */
export class FoundWords1760000019000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLE, ...NOW, ...BEGIN_ANEW]) await runner.query(statement);
    await runner.query(`DROP FUNCTION ${DROPPED.join(', ')}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [...BEFORE, ...BEGIN_ANEW]) await runner.query(statement);
    const names = NEW.map((statement) => functionName(statement) ?? '');
    await runner.query(`DROP FUNCTION ${names.join(', ')}`);
    await runner.query('DROP TABLE unsearchable_documents');
  }
}
