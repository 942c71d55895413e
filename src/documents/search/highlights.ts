import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../database/database.js';
import { highlight } from './highlight.js';
import type { Literal } from './search-words.js';

/**
 * A part of the content if something matches there, else of the title. Titles sort by code point, and under that collation
 * `lower` would know ASCII only, for both.
 */
const FIND: Statement = {
  name: 'documents.highlight',
  text: `WITH page AS MATERIALIZED (
      SELECT item.id, title, content, search_configuration(ai_settings) AS configuration
        FROM unnest($2::uuid[]) AS wanted(id)
        CROSS JOIN LATERAL (SELECT * FROM documents WHERE id = wanted.id AND account_id = $1 LIMIT 1) AS item
    ), asked AS MATERIALIZED (
      SELECT configuration, terms, runs FROM (SELECT DISTINCT configuration FROM page) AS language
        CROSS JOIN LATERAL search_wanted($3::json, configuration)
    )
    SELECT page.id, found.fragment AS text, found.words, found.stretches FROM page JOIN asked USING (configuration)
      CROSS JOIN LATERAL (
        SELECT * FROM unnest(ARRAY[content, title COLLATE "default"]) AS part, search_fragment(configuration, part, terms, runs) LIMIT 1
      ) AS found`,
};

interface FoundFragment {
  id: string;
  text: string;
  words: string[];
  stretches: string[];
}

/** What a search found in the documents of a page. */
@Injectable()
export class Highlights {
  constructor(private readonly database: Database) {}

  /** HTML by the UUID of a document; one whose match is far behind the beginning has none. */
  async of(
    accountId: string,
    ids: readonly string[],
    groups: readonly Literal[][],
  ): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const values = [accountId, ids, JSON.stringify(groups)];
    const found = await this.database.read<FoundFragment>(FIND, values);
    return new Map(found.map(({ id, ...fragment }) => [id, highlight(fragment)]));
  }
}
