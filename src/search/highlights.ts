import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database/database.js';
import { highlight } from './highlight.js';
import { askedLiterals, type Literal } from './search-words.js';
import { partsOf, spellingsOf, type Part } from './text-analysis.js';

/** Characters of a content in which a highlight is looked for, and those it shows. */
const SEARCHED = 20_000;
const SHOWN = 240;
/** Places that look like a match, of a document. */
const MOST_PLACES = 8;
/** Forms of a word begin alike. */
const SAME_BEGINNING = 2;

/** A content can be long: only its beginning leaves the database. */
const READ: Statement = {
  name: 'search.highlighted',
  text: `SELECT item.id, left(item.content, ${String(SEARCHED)}) AS content, item.title
           FROM unnest($2::uuid[]) AS wanted (id)
           CROSS JOIN LATERAL (SELECT * FROM documents WHERE documents.id = wanted.id AND account_id = $1 LIMIT 1) AS item`,
};

/** Of the fragments of a document the first one with a match, in all of its spellings. */
const MARK: Statement = {
  name: 'search.highlight',
  text: `WITH fragment AS MATERIALIZED (
      SELECT fragment.*, text.configuration
        FROM json_to_recordset($2::json) AS fragment (id uuid, n integer, "isKnown" boolean, spellings text[])
        CROSS JOIN LATERAL (SELECT configuration FROM document_texts WHERE document_id = fragment.id AND account_id = $1 LIMIT 1) AS text
    ), asked AS MATERIALIZED (
      SELECT configuration, search_query(configuration, $3::jsonb) AS query FROM (SELECT DISTINCT configuration FROM fragment) AS used
    )
    SELECT document.id, marked.n, marked.headlines
      FROM (SELECT DISTINCT id FROM fragment) AS document
      CROSS JOIN LATERAL (
        SELECT n, headlines
          FROM (SELECT fragment.*, (SELECT query FROM asked WHERE asked.configuration = fragment.configuration) AS query
                  FROM fragment WHERE fragment.id = document.id ORDER BY n) AS fragment
          CROSS JOIN LATERAL (
            SELECT ARRAY(SELECT ts_headline(configuration::regconfig, spelling, query, 'HighlightAll=true, StartSel=<, StopSel=>')
                           FROM unnest(spellings) AS spelling) AS headlines OFFSET 0) AS made
         WHERE "isKnown" OR array_to_string(headlines, ' ') LIKE '%<%' LIMIT 1) AS marked`,
};

interface Fragment {
  text: string;
  tokens: Token[];
  /** Whether something matches that is known without the database. */
  isKnown: boolean;
}

/** A word or a pair of characters as it is indexed, and what stands between white space there. */
interface Token {
  text: string;
  characters: boolean;
  whole: string;
  isKnown: boolean;
}

/** What a search looks for. */
interface Wanted {
  beginnings: ReadonlySet<string>;
  characters: ReadonlySet<string>;
  joined: ReadonlySet<string>;
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
    const wanted = wantedBy(words);
    const documents = await this.database.read<{ id: string; content: string; title: string }>(
      READ,
      [accountId, ids],
    );
    const fragments = new Map(
      documents.map(({ id, content, title }) => [
        id,
        [...fragmentsOf(content, wanted), ...fragmentsOf(title, wanted)],
      ]),
    );
    const sent = [...fragments].flatMap(([id, list]) =>
      list.map(({ tokens, isKnown }, n) => ({ id, n, isKnown, spellings: spelled(tokens) })),
    );
    const values = [accountId, JSON.stringify(sent), JSON.stringify(askedLiterals(words))];
    const marked = await this.database.read<{ id: string; n: number; headlines: string[] }>(
      MARK,
      values,
    );
    return new Map(
      marked.flatMap(({ id, n, headlines }): [string, string][] => {
        const fragment = fragments.get(id)?.[n];
        return fragment ? [[id, htmlOf(fragment, headlines)]] : [];
      }),
    );
  }
}

function wantedBy(words: readonly Literal[][]): Wanted {
  const parts = words.flat().flatMap(({ text, negated }) => (negated ? [] : [...partsOf(text)]));
  const spoken = parts.filter(({ isCharacter }) => !isCharacter);
  return {
    beginnings: new Set(spoken.flatMap(({ text }) => spellingsOf(text).map(beginningOf))),
    characters: new Set(parts.filter(({ isCharacter }) => isCharacter).map(({ text }) => text)),
    joined: new Set(parts.flatMap(({ joined }) => joined)),
  };
}

function beginningOf(word: string): string {
  return word.slice(0, SAME_BEGINNING);
}

/** Stretches of a text around what looks like a match, each around another word. */
function fragmentsOf(text: string, wanted: Wanted): Fragment[] {
  const fragments: Fragment[] = [];
  const seen = new Set<string>();
  for (const { 0: whole, index } of text.matchAll(/\S{1,200}/gu)) {
    const match = [...partsOf(whole)].find(
      (part) => looksLike(part, wanted) && !seen.has(part.text),
    );
    if (!match) continue;
    seen.add(match.text);
    const at = match.isCharacter ? index + Math.max(0, whole.indexOf(match.text)) : index;
    fragments.push(fragmentAt(text, at, wanted));
    if (fragments.length === MOST_PLACES) break;
  }
  return fragments;
}

function looksLike({ text, isCharacter, joined }: Part, wanted: Wanted): boolean {
  if (isCharacter) return wanted.characters.has(text);
  return (
    spellingsOf(text).some((spelling) => wanted.beginnings.has(beginningOf(spelling))) ||
    joined.some((one) => wanted.joined.has(one))
  );
}

function fragmentAt(text: string, at: number, wanted: Wanted): Fragment {
  const first = Math.max(0, at - SHOWN / 4);
  let shown = text.slice(first, first + SHOWN);
  if (first > 0) shown = shown.replace(/^\S{0,30}\s+/u, '');
  if (first + SHOWN < text.length) shown = shown.replace(/\s+\S{0,30}$/u, '');
  shown = shown.toWellFormed().replaceAll('\ufffd', '').normalize('NFKC');
  const tokens = shown.split(/\s+/).flatMap((whole) => tokensOf(whole, wanted));
  return { text: shown, tokens, isKnown: tokens.some(({ isKnown }) => isKnown) };
}

function tokensOf(whole: string, wanted: Wanted): Token[] {
  const parts = [...partsOf(whole)];
  return parts.map((part, index) => {
    const { text, isCharacter, joined } = part;
    const next = parts[index + 1];
    const isPair = isCharacter && next?.isCharacter === true && next.isAdjacent;
    const isKnown = isCharacter
      ? wanted.characters.size === 1 && wanted.characters.has(text)
      : joined.some((one) => wanted.joined.has(one));
    return { text: isPair ? text + next.text : text, characters: isCharacter, whole, isKnown };
  });
}

function spelled(tokens: readonly Token[]): string[] {
  const spellings = [0, 1, 2].map((spelling) =>
    tokens.map(({ text }) => spellingsOf(text)[spelling]).join(' '),
  );
  return [...new Set(spellings)];
}

/** A headline has as many tokens as the fragment, those that match in angle brackets. */
function htmlOf({ text, tokens }: Fragment, headlines: readonly string[]): string {
  const marks = headlines.map((headline) => headline.split(' '));
  const words: string[] = [];
  const stretches: string[] = [];
  let stretch = '';
  for (const [index, token] of tokens.entries()) {
    const isFound = token.isKnown || marks.some((marked) => marked[index]?.startsWith('<'));
    if (!token.characters || !isFound) {
      if (stretch !== '') stretches.push(stretch);
      stretch = '';
    }
    if (!isFound) continue;
    if (!token.characters) words.push(token.whole);
    else if (token.isKnown) stretches.push(Array.from(token.text)[0] ?? '');
    else stretch = stretch === '' ? token.text : stretch + Array.from(token.text).slice(1).join('');
  }
  if (stretch !== '') stretches.push(stretch);
  return highlight({
    text,
    words,
    stretches: [...new Set(stretches)].sort((one, other) => other.length - one.length),
  });
}
