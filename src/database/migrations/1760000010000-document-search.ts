import type { MigrationInterface, QueryRunner } from 'typeorm';
import { BLOCK_FUNCTIONS, TRIGGERS } from './document-search/blocks.js';
import { FACET_FUNCTIONS } from './document-search/facets.js';
import { INDEXING_FUNCTIONS } from './document-search/indexing.js';
import { MATCHES_FUNCTIONS } from './document-search/matches.js';
import { MATCHING_FUNCTIONS } from './document-search/matching.js';
import { PAGE_FUNCTIONS } from './document-search/pages.js';
import { RANKING_FUNCTIONS } from './document-search/ranking.js';
import { TABLES } from './document-search/tables.js';
import { TERM_FUNCTIONS } from './document-search/terms.js';

/** The index that search, filters and facets read, and what keeps it. */
export class DocumentSearch1760000010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const functions = [
      ...TERM_FUNCTIONS,
      ...INDEXING_FUNCTIONS,
      ...BLOCK_FUNCTIONS,
      ...MATCHING_FUNCTIONS,
      ...RANKING_FUNCTIONS,
      ...MATCHES_FUNCTIONS,
      ...PAGE_FUNCTIONS,
      ...FACET_FUNCTIONS,
    ];
    for (const statement of [...TABLES, ...functions, ...TRIGGERS, NOTE_EXISTING]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of ['search_added', 'search_changed', 'search_removed']) {
      await runner.query(`DROP TRIGGER ${name} ON documents`);
    }
    await runner.query(DROP_FUNCTIONS);
    for (const column of ['updated_at', 'title', 'word_count']) {
      await runner.query(`DROP INDEX documents_deleted_${column}_idx`);
    }
    await runner.query(
      `DROP TABLE search_changes, search_blocks, search_entries, search_postings, search_bitmaps, search_counts`,
    );
  }
}

/** Only noted here, because writes wait for a migration: the worker puts them into the index, the oldest first. */
const NOTE_EXISTING = `INSERT INTO search_changes (account_id, document_id)
  SELECT account_id, id FROM documents ORDER BY created_at, id`;

/** By name, because most of them take row types of the tables. */
const DROP_FUNCTIONS = `DO $$
  DECLARE
    routine regprocedure;
  BEGIN
    FOR routine IN
      SELECT oid FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
         AND (proname LIKE 'search\\_%' OR proname IN ('json_leaves', 'json_items', 'note_search_changes'))
       ORDER BY prokind
    LOOP
      EXECUTE 'DROP ROUTINE ' || routine;
    END LOOP;
  END
$$`;
