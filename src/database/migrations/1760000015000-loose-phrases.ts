import type { MigrationInterface, QueryRunner } from 'typeorm';
import { MATCHING_FUNCTIONS } from './document-search/matching.js';
import { LITERALS_FUNCTION } from './loose-phrases/literals.js';
import { restoredFunctions } from './restored-functions.js';

/** Phrases whose parts stand in too many documents can be searched for by their parts. */
export class LoosePhrases1760000015000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LITERALS_FUNCTION);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of restoredFunctions(MATCHING_FUNCTIONS, 'search_literals')) {
      await runner.query(statement);
    }
  }
}
