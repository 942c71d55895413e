import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../platform/database/database.js';
import { Highlighter, SEARCHED_CHARACTERS } from './words/highlight.js';
import type { Literal } from './words/search-words.js';

/** Reads only the start of long content. Skips `left` for short content, because counting characters is slow. */
const READ: Statement = {
  name: 'search.highlighted',
  text: `SELECT item.id, item.title, text.configuration,
                CASE WHEN octet_length(item.content) <= ${String(SEARCHED_CHARACTERS)} THEN item.content ELSE left(item.content, ${String(SEARCHED_CHARACTERS)}) END AS content
           FROM unnest($2::uuid[]) AS wanted (id)
           CROSS JOIN LATERAL (SELECT * FROM documents WHERE documents.id = wanted.id AND account_id = $1 LIMIT 1) AS item
           CROSS JOIN LATERAL (SELECT configuration FROM document_texts WHERE document_id = wanted.id LIMIT 1) AS text`,
};

/** Returns, for each stemmer, the words that match the query. */
const STEM: Statement = {
  name: 'search.stem',
  text: `SELECT configuration,
                ARRAY(SELECT word FROM unnest($2::text[]) AS word WHERE to_tsvector(configuration::regconfig, word) @@ query) AS words
           FROM (SELECT configuration, websearch_to_tsquery(configuration::regconfig, $3) AS query
                   FROM unnest($1::text[]) AS configuration OFFSET 0) AS asked`,
};

interface ReadDocument {
  id: string;
  content: string;
  title: string;
  configuration: string;
}

/** Highlights matches in the documents of a page. */
@Injectable()
export class Highlights {
  constructor(private readonly database: Database) {}

  /** Returns HTML by document id. Documents whose first match is far from the start have none. */
  async highlight(
    accountId: string,
    words: readonly Literal[][],
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const highlighter = new Highlighter(words.flat().filter(({ negated }) => !negated));
    const documents = await this.database.read<ReadDocument>(READ, [accountId, ids]);
    const matching = await this.matching(documents, highlighter);
    return new Map(
      documents.flatMap(({ id, content, title, configuration }): [string, string][] => {
        const found = matching.get(configuration) ?? new Set();
        const html = highlighter.highlight(content, found) ?? highlighter.highlight(title, found);
        return html === undefined ? [] : [[id, html]];
      }),
    );
  }

  /** Returns the matching words of the documents by text search configuration. */
  private async matching(
    documents: readonly ReadDocument[],
    highlighter: Highlighter,
  ): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const candidates = new Set<string>();
    for (const { content, title } of documents) {
      highlighter.addCandidates(content, candidates);
      highlighter.addCandidates(title, candidates);
    }
    if (candidates.size === 0) return new Map();
    const configurations = new Set(documents.map(({ configuration }) => configuration));
    const stemmed = await this.database.read<{ configuration: string; words: string[] }>(STEM, [
      [...configurations],
      [...candidates],
      highlighter.query,
    ]);
    return new Map(stemmed.map((one) => [one.configuration, new Set(one.words)]));
  }
}
