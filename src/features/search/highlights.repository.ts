import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database, type Statement } from '../../platform/database/database.js';
import type { SearchedText } from './search-provider.js';
import { Highlighter, SEARCHED_CHARACTERS } from './words/highlight.js';
import type { Literal } from './words/search-words.js';
import { PUBLISHED_WORDS } from './matching-sql.js';

/**
 * Columns of a {@link SearchedText} beside those of `documents AS item` or `publications AS item`, and their joins. Read
 * only the start of long content. Skip `left` for short content, because counting characters is slow.
 */
export const SEARCHED_COLUMNS = `text.configuration,
  CASE WHEN octet_length(item.content) <= ${String(SEARCHED_CHARACTERS)} THEN item.content ELSE left(item.content, ${String(SEARCHED_CHARACTERS)}) END AS "searchedContent"`;
export const SEARCHED_JOIN = joinWith('document_texts');
export const PUBLISHED_SEARCHED_JOIN = joinWith(PUBLISHED_WORDS);

function joinWith(words: string): string {
  return `LEFT JOIN LATERAL (
    SELECT configuration FROM ${words} AS words WHERE document_id = item.id LIMIT 1) AS text ON true`;
}

/** Returns the lexemes of each word, as often as they occur in it. */
const STEM: Statement = {
  name: 'search.stem',
  text: `SELECT ARRAY(SELECT lexeme FROM unnest(to_tsvector(configuration::regconfig, word)) AS entry, unnest(entry.positions)) AS lexemes
           FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (configuration, word, place) ORDER BY place`,
};

/** Returns, for each configuration, the words that match the query. */
const MATCH: Statement = {
  name: 'search.match-words',
  text: `SELECT configuration,
                ARRAY(SELECT word FROM unnest($2::text[]) AS word WHERE to_tsvector(configuration::regconfig, word) @@ query) AS words
           FROM (SELECT configuration, websearch_to_tsquery(configuration::regconfig, $3) AS query
                   FROM unnest($1::text[]) AS configuration OFFSET 0) AS asked`,
};

/** Maximum number of words to remember, and their maximum length in UTF-16 code units. Together they take about 12 MB. */
const MAX_REMEMBERED = 40_000;
const MAX_LENGTH = 40;
/** An upgrade of the server can change a stemmer. */
const REMEMBERED_FOR_MS = 60 * 60 * 1000;

type Lexemes = readonly string[];

/** Says if a word of a text matches the search. Undefined if that is not known. */
type Matches = (configuration: string, word: string) => boolean | undefined;

/** Highlights matches in the documents of a page. */
@Injectable()
export class HighlightsRepository {
  /** Lexemes by configuration and word, on which alone they depend. Without them, a search costs ×1.48. */
  private readonly remembered = new LRUCache<string, Lexemes>({
    max: MAX_REMEMBERED,
    ttl: REMEMBERED_FOR_MS,
  });

  constructor(private readonly database: Database) {}

  /** Returns HTML by document id. Documents whose first match is far from the start have none. */
  async highlight(
    accountId: string,
    words: readonly Literal[][],
    documents: readonly SearchedText[],
  ): Promise<ReadonlyMap<string, string>> {
    const highlighter = new Highlighter(words.flat().filter(({ negated }) => !negated));
    const html = new Map<string, string>();
    // Usually, all words that matter are remembered.
    const matches = matchesOf(highlighter.words, (key) => this.remembered.get(key));
    const rest = documents.filter(
      (document) => !addHighlight(document, highlighter, matches, html),
    );
    if (rest.length === 0) return html;
    const matchesInRest = await this.matchesIn(accountId, rest, highlighter);
    for (const document of rest) addHighlight(document, highlighter, matchesInRest, html);
    return html;
  }

  /** Returns the matches of all words in the documents, and remembers their lexemes. */
  private async matchesIn(
    accountId: string,
    documents: readonly SearchedText[],
    highlighter: Highlighter,
  ): Promise<Matches> {
    const candidates = new Map<string, Set<string>>();
    for (const { searchedContent, title, configuration } of documents) {
      if (configuration === null) continue;
      const ofConfiguration = candidates.get(configuration) ?? new Set();
      candidates.set(configuration, ofConfiguration);
      highlighter.addCandidates(searchedContent, ofConfiguration);
      highlighter.addCandidates(title, ofConfiguration);
    }
    const lexemes = new Map<string, Lexemes>();
    const unknown: [configuration: string, word: string][] = [];
    for (const [configuration, words] of candidates) {
      for (const word of new Set([...words, ...highlighter.words])) {
        const known = this.remembered.get(keyOf(configuration, word));
        if (known) lexemes.set(keyOf(configuration, word), known);
        else unknown.push([configuration, word]);
      }
    }
    const values = [unknown.map(([one]) => one), unknown.map(([, word]) => word)];
    const rows = await this.database.read<{ lexemes: string[] }>(STEM, values, accountId);
    unknown.forEach(([configuration, word], index) => {
      const found = rows[index]?.lexemes ?? [];
      lexemes.set(keyOf(configuration, word), found);
      if (word.length <= MAX_LENGTH) this.remembered.set(keyOf(configuration, word), found);
    });
    const hasPhrase = [...candidates.keys()].some((one) =>
      highlighter.words.some((word) => (lexemes.get(keyOf(one, word)) ?? []).length > 1),
    );
    return hasPhrase
      ? this.matchesOfPhrases(accountId, candidates, highlighter.query)
      : matchesOf(highlighter.words, (key) => lexemes.get(key));
  }

  /** PostgreSQL splits some words of searches into phrases, such as Hindi ones with vowel signs. Asks it each time. */
  private async matchesOfPhrases(
    accountId: string,
    candidates: ReadonlyMap<string, ReadonlySet<string>>,
    query: string,
  ): Promise<Matches> {
    const words = new Set([...candidates.values()].flatMap((some) => [...some]));
    const rows = await this.database.read<{ configuration: string; words: string[] }>(
      MATCH,
      [[...candidates.keys()], [...words], query],
      accountId,
    );
    const matching = new Map(rows.map((row) => [row.configuration, new Set(row.words)]));
    return (configuration, word) => matching.get(configuration)?.has(word) ?? false;
  }
}

/** Adds the highlight of a document, if it has one. Returns false if a word is not known. */
function addHighlight(
  { id, searchedContent, title, configuration }: SearchedText,
  highlighter: Highlighter,
  matches: Matches,
  html: Map<string, string>,
): boolean {
  if (configuration === null) return true;
  let unknown = 0;
  const isMatch = (word: string) => {
    const found = matches(configuration, word);
    if (found === undefined) unknown += 1;
    return found ?? false;
  };
  const excerpt =
    highlighter.highlight(searchedContent, isMatch) ?? highlighter.highlight(title, isMatch);
  if (unknown === 0 && excerpt !== undefined) html.set(id, excerpt);
  return unknown === 0;
}

/** Compares lexemes with those of the wanted words. Wanted words with several lexemes are phrases, which are not known. */
function matchesOf(
  wanted: readonly string[],
  lexemesOf: (key: string) => Lexemes | undefined,
): Matches {
  const known = new Map<string, ReadonlySet<string> | undefined>();
  const wantedIn = (configuration: string) => {
    if (known.has(configuration)) return known.get(configuration);
    const lexemes = wanted.map((word) => lexemesOf(keyOf(configuration, word)));
    const isKnown = lexemes.every((some) => some !== undefined && some.length < 2);
    const set = isKnown ? new Set(lexemes.flatMap((some) => some ?? [])) : undefined;
    known.set(configuration, set);
    return set;
  };
  return (configuration, word) => {
    const lexemes = wantedIn(configuration);
    return lexemes && lexemesOf(keyOf(configuration, word))?.some((one) => lexemes.has(one));
  };
}

function keyOf(configuration: string, word: string): string {
  return `${configuration} ${word}`;
}
