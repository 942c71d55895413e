import { partsOf, spellingsOf } from '../words/tokenize.js';

/** The indexed fields of a document with their columns. Title words rank above content words. */
export interface SearchedFields {
  titles: Readonly<Record<string, string>>;
  contents: Readonly<Record<string, string>>;
}

export const SEARCHED_FIELDS = Symbol('SearchedFields');

/** The part of a document to index. */
export type Indexed = 'texts' | 'title' | 'nothing';

/** A row of `documents` or `publications` with the searched fields by name. */
export interface SearchedDocument {
  account_id: string;
  document_id: string;
  created_at: Date;
  ai_settings: string;
  /** Only for published texts: the number of the publication. */
  number?: number;
  [field: string]: unknown;
}

/** Returns the input of `index_texts` or `index_publication_texts` as JSON text. Takes 0.1 s for long content. */
export function indexEntry(
  document: SearchedDocument,
  what: Indexed,
  { titles, contents }: SearchedFields,
): string {
  const title = indexedText(what === 'nothing' ? '' : textIn(document, titles));
  const content = indexedText(what === 'texts' ? textIn(document, contents) : '');
  const { language } = JSON.parse(document.ai_settings) as { language?: unknown };
  return JSON.stringify({
    id: document.document_id,
    accountId: document.account_id,
    createdAt: document.created_at,
    number: document.number,
    configuration: textConfiguration(language),
    titleOnly: what !== 'texts',
    title: title.spellings,
    content: content.spellings,
    terms: [...new Set([...title.terms, ...content.terms])],
  });
}

/** Returns the length of the text that {@link indexEntry} reads, in UTF-16 code units. */
export function searchedLength(document: SearchedDocument, fields: SearchedFields): number {
  return textIn(document, { ...fields.titles, ...fields.contents }).length;
}

function textIn(document: SearchedDocument, columns: Readonly<Record<string, string>>): string {
  return Object.keys(columns)
    .map((name) => document[name] as string)
    .join('\n');
}

/** Maximum number of distinct words to index, more than in a long book. A tsvector holds at most 1 MiB. */
const MAX_WORDS = 30_000;
/** Maximum number of characters of scripts without spaces to index. Each one becomes a pair. */
const MAX_CHARACTERS = 100_000;

/** The input for a tsvector. */
interface IndexedText {
  /** The words, separated by spaces, in up to three spellings. The first one has no accents. */
  spellings: string[];
  /** Terms without a position: single characters, and stop words joined by punctuation. */
  terms: Set<string>;
}

/**
 * Returns the index input of a text: its words, and overlapping pairs of characters of scripts without spaces. The last
 * character of a sequence is also a token. Indexes long texts up to the limits.
 */
export function indexedText(text: string): IndexedText {
  const writer = new SpellingWriter();
  const terms = new Set<string>();
  let characters = 0;
  let pending: string | undefined;
  for (const part of partsOf(text)) {
    if (pending !== undefined)
      writer.add(part.isCharacter && part.isAdjacent ? pending + part.text : pending);
    pending = undefined;
    if (writer.words >= MAX_WORDS || characters >= MAX_CHARACTERS) break;
    if (part.isCharacter) {
      pending = part.text;
      terms.add(part.text);
      characters += 1;
    } else {
      writer.add(part.text);
      for (const one of part.joined) terms.add(one);
    }
  }
  if (pending !== undefined) writer.add(pending);
  return { spellings: writer.spellings(), terms };
}

/** Writes a text in all distinct spellings. */
class SpellingWriter {
  private readonly plain: string[] = [];
  /** Other spellings of words by position. */
  private readonly others: [place: number, typed: string, umlauts: string][] = [];
  private readonly seen = new Set<string>();

  get words(): number {
    return this.seen.size;
  }

  add(word: string): void {
    this.seen.add(word);
    const [plain, typed, umlauts] = spellingsOf(word);
    if (plain !== typed || plain !== umlauts) this.others.push([this.plain.length, typed, umlauts]);
    this.plain.push(plain);
  }

  spellings(): string[] {
    const plain = this.plain.join(' ');
    // A tsvector has no space for other spellings of too many words.
    if (this.others.length === 0 || this.words > MAX_WORDS / 2) return [plain];
    const typed = [...this.plain];
    const umlauts = [...this.plain];
    for (const [place, one, other] of this.others) {
      typed[place] = one;
      umlauts[place] = other;
    }
    return [...new Set([plain, typed.join(' '), umlauts.join(' ')])];
  }
}

/** The stemmers of PostgreSQL 15 by ISO 639-1 code. */
const STEMMERS: Readonly<Record<string, string>> = {
  ar: 'arabic',
  hy: 'armenian',
  eu: 'basque',
  ca: 'catalan',
  da: 'danish',
  nl: 'dutch',
  en: 'english',
  fi: 'finnish',
  fr: 'french',
  de: 'german',
  el: 'greek',
  hi: 'hindi',
  hu: 'hungarian',
  id: 'indonesian',
  ga: 'irish',
  it: 'italian',
  lt: 'lithuanian',
  ne: 'nepali',
  no: 'norwegian',
  nb: 'norwegian',
  nn: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  es: 'spanish',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
};
const NAMES = new Set(Object.values(STEMMERS));

/**
 * Returns the text search configuration of a language: English by default, `simple` (no stemming) for unsupported languages.
 */
function textConfiguration(language: unknown): string {
  const given = typeof language === 'string' ? language.trim().toLowerCase() : '';
  if (given === '' || given === 'auto') return 'english';
  const [name = ''] = /^[a-z]*/.exec(given) ?? [];
  return NAMES.has(name) ? name : (Object.hasOwn(STEMMERS, name) && STEMMERS[name]) || 'simple';
}
