import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../platform/database/database.js';
import { highlight } from './words/highlight.js';
import { characterStretches, type Literal } from './words/search-words.js';
import { partsOf, spellingsOf } from './words/text-analysis.js';

/** Characters of a content in which a highlight is looked for, and those it shows. */
const SEARCHED = 20_000;
const SHOWN = 240;
/** Tokens are what stands between white space; of a longer one, what is so near to what is looked for. */
const LONGEST_TOKEN = 200;
const WHITE_SPACE = /\s/u;
/** From a place in a text on, what is left of the token there. */
const REST_OF_TOKEN = new RegExp(`\\S{1,${String(LONGEST_TOKEN)}}`, 'uy');
/** Letters with which the forms of a long word begin. */
const LONGEST_BEGINNING = 4;

/** A content can be long: only its beginning leaves the database. Counting off its characters takes time. */
const READ: Statement = {
  name: 'search.highlighted',
  text: `SELECT item.id, item.title, text.configuration,
                CASE WHEN octet_length(item.content) <= ${String(SEARCHED)} THEN item.content ELSE left(item.content, ${String(SEARCHED)}) END AS content
           FROM unnest($2::uuid[]) AS wanted (id)
           CROSS JOIN LATERAL (SELECT * FROM documents WHERE documents.id = wanted.id AND account_id = $1 LIMIT 1) AS item
           CROSS JOIN LATERAL (SELECT configuration FROM document_texts WHERE document_id = wanted.id LIMIT 1) AS text`,
};

/** Which words are forms of those that are asked for, by each stemmer. */
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

/** A token at an index of a text, and the place in it of what may match. */
interface FoundToken {
  token: string;
  index: number;
  place: number;
}

/** What a token has of what a search looks for. */
interface Token {
  /** Whether it matches in every language. */
  isMatch: boolean;
  /** Words in their spellings; a stemmer says whether they match. */
  candidates: readonly string[];
}

/** What a search found in the documents of a page. */
@Injectable()
export class Highlights {
  constructor(private readonly database: Database) {}

  /** HTML by the id of a document; one whose match is far behind the beginning has none. */
  async of(
    accountId: string,
    words: readonly Literal[][],
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const tokens = new TokensOfSearch(words.flat().filter(({ negated }) => !negated));
    const documents = await this.database.read<ReadDocument>(READ, [accountId, ids]);
    const matching = await this.matching(documents, tokens);
    return new Map(
      documents.flatMap(({ id, content, title, configuration }): [string, string][] => {
        const found = matching.get(configuration) ?? new Set();
        const html = tokens.highlight(content, found) ?? tokens.highlight(title, found);
        return html === undefined ? [] : [[id, html]];
      }),
    );
  }

  /** The words of the documents that match, by text search configuration. */
  private async matching(
    documents: readonly ReadDocument[],
    tokens: TokensOfSearch,
  ): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const candidates = new Set<string>();
    for (const { content, title } of documents) {
      tokens.addCandidates(content, candidates);
      tokens.addCandidates(title, candidates);
    }
    if (candidates.size === 0) return new Map();
    const configurations = new Set(documents.map(({ configuration }) => configuration));
    const stemmed = await this.database.read<{ configuration: string; words: string[] }>(STEM, [
      [...configurations],
      [...candidates],
      tokens.query,
    ]);
    return new Map(stemmed.map((one) => [one.configuration, new Set(one.words)]));
  }
}

/** Looks at the tokens of texts for one search; equal ones are taken apart once. */
class TokensOfSearch {
  /** Any of the words, in the syntax of `websearch_to_tsquery`. */
  readonly query: string;
  private readonly beginnings: ReadonlySet<string>;
  private readonly joined: ReadonlySet<string>;
  /** Characters of scripts without spaces, as they stand together. */
  private readonly stretches: readonly string[];
  /**
   * Where a text may match: where a word that is asked for may begin, and at every character beyond ASCII. Never at white
   * space, of which no token comes: {@link tokensOf} would not get on.
   */
  private readonly maybe: RegExp;
  private readonly tokens = new Map<string, Token>();

  constructor(literals: readonly Literal[]) {
    const parts = literals.flatMap(({ text }) => [...partsOf(text)]);
    const words = parts
      .filter(({ isCharacter }) => !isCharacter)
      .flatMap(({ text }) => spellingsOf(text));
    this.query = [...new Set(words)].map((word) => `"${word}"`).join(' or ');
    this.beginnings = new Set(words.map(beginningOf));
    this.joined = new Set(parts.flatMap(({ joined }) => joined));
    const stretches = new Set(literals.flatMap(({ text }) => characterStretches(text)));
    this.stretches = [...stretches].sort((one, other) => other.length - one.length);
    this.maybe = new RegExp([...this.beginnings, '(?!\\s)[^\\0-\\x7f]'].join('|'), 'gi');
  }

  /** Adds the words of a text that may match by a stemmer. */
  addCandidates(text: string, candidates: Set<string>): void {
    for (const { token } of this.tokensOf(text))
      for (const word of this.read(token).candidates) candidates.add(word);
  }

  /** The place of the first match in a text, as HTML; `matching` are the words that match. */
  highlight(text: string, matching: ReadonlySet<string>): string | undefined {
    const isFound = (token: string) => {
      const { isMatch, candidates } = this.read(token);
      return isMatch || candidates.some((word) => matching.has(word));
    };
    for (const { token, index, place } of this.tokensOf(text)) {
      if (!isFound(token)) continue;
      const shown = excerptAt(text, index + (this.placeOfStretch(token) ?? place));
      const words = [...this.tokensOf(shown)]
        .map((one) => one.token)
        .filter((one) => !this.hasStretch(one) && isFound(one));
      return highlight({ text: shown, words, stretches: this.stretches });
    }
    return undefined;
  }

  /** Tokens of a text that may match, and at which place of theirs. Most of a text is passed over. */
  private *tokensOf(text: string): Generator<FoundToken> {
    let end = 0;
    for (;;) {
      this.maybe.lastIndex = end;
      const found = this.maybe.exec(text)?.index;
      if (found === undefined) return;
      const first = Math.max(end, found - LONGEST_TOKEN);
      let index = found;
      while (index > first && !WHITE_SPACE.test(text.charAt(index - 1))) index -= 1;
      REST_OF_TOKEN.lastIndex = found;
      const token = text.slice(index, found) + (REST_OF_TOKEN.exec(text)?.[0] ?? '');
      yield { token, index, place: found - index };
      end = index + token.length;
    }
  }

  private read(token: string): Token {
    const known = this.tokens.get(token);
    if (known) return known;
    const parts = [...partsOf(token)];
    const candidates = parts
      .filter(({ isCharacter }) => !isCharacter)
      .map(({ text }) => spellingsOf(text))
      .filter((spellings) => spellings.some((word) => this.looksAlike(word)))
      .map((spellings) => [...new Set(spellings)].join(' '));
    const isJoined = parts.some(({ joined }) => joined.some((one) => this.joined.has(one)));
    const read = { isMatch: isJoined || this.hasStretch(token), candidates };
    this.tokens.set(token, read);
    return read;
  }

  /** Whether a word begins like one that is asked for: only such words can be forms of it. */
  private looksAlike(word: string): boolean {
    for (let length = 1; length <= LONGEST_BEGINNING; length += 1)
      if (this.beginnings.has(word.slice(0, length))) return true;
    return false;
  }

  private hasStretch(token: string): boolean {
    if (this.stretches.length === 0) return false;
    const text = token.normalize('NFKC').toLowerCase();
    return this.stretches.some((stretch) => text.includes(stretch));
  }

  private placeOfStretch(token: string): number | undefined {
    const places = this.stretches.map((stretch) => token.indexOf(stretch));
    const known = places.filter((place) => place >= 0);
    return known.length === 0 ? undefined : Math.min(...known);
  }
}

/** Forms of a word differ in their last letters. */
function beginningOf(word: string): string {
  return word.slice(0, Math.min(LONGEST_BEGINNING, Math.max(2, word.length - 3)));
}

/** Some of a text from a little before a place on, from white space to white space. */
function excerptAt(text: string, at: number): string {
  const first = Math.max(0, at - SHOWN / 4);
  let shown = text.slice(first, first + SHOWN);
  if (first > 0) shown = shown.replace(/^\S{0,30}\s+/u, '');
  if (first + SHOWN < text.length) shown = shown.replace(/\s+\S{0,30}$/u, '');
  return shown.toWellFormed().replaceAll('\ufffd', '').normalize('NFKC');
}
