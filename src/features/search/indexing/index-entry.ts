import { partsOf, spellingsOf } from '../words/text-analysis.js';

/** The fields of a document that are indexed, with their columns. Words in titles rank above words in contents. */
export interface SearchedFields {
  titles: Readonly<Record<string, string>>;
  contents: Readonly<Record<string, string>>;
}

export const SEARCHED_FIELDS = Symbol('SearchedFields');

/** What is indexed of a document. */
export type Indexed = 'texts' | 'title' | 'nothing';

/** A row of `documents` with the searched fields under their names. */
export interface SearchedDocument {
  account_id: string;
  document_id: string;
  created_at: Date;
  ai_settings: string;
  [field: string]: unknown;
}

/** Returns the JSON text that `index_texts` takes for a document. Takes 0.1 s for a long content. */
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
    configuration: textConfiguration(language),
    titleOnly: what !== 'texts',
    title: title.spellings,
    content: content.spellings,
    terms: [...new Set([...title.terms, ...content.terms])],
  });
}

/** Returns how many UTF-16 units of a document {@link indexEntry} reads. */
export function searchedLength(document: SearchedDocument, fields: SearchedFields): number {
  return textIn(document, { ...fields.titles, ...fields.contents }).length;
}

function textIn(document: SearchedDocument, columns: Readonly<Record<string, string>>): string {
  return Object.keys(columns)
    .map((name) => document[name] as string)
    .join('\n');
}

/** Different words of a text that are indexed, more than a long book has: a vector holds 1 MiB of them. */
const MOST_WORDS = 30_000;
/** Characters of scripts without spaces that are indexed: each makes a pair of its own. */
const MOST_CHARACTERS = 100_000;

/** What PostgreSQL makes a vector of. */
export interface IndexedText {
  /** Words with a space between them, in several spellings of as many words; the first one has no accents. */
  spellings: string[];
  /** What is found wherever it stands: single characters, and stop words that signs join. */
  terms: Set<string>;
}

/**
 * A text as it is indexed: words, and pairs of characters of scripts without spaces, each beginning where the one before
 * has its second character; the last character of a stretch stands for itself. A long text is indexed as far as it goes.
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
    if (writer.words >= MOST_WORDS || characters >= MOST_CHARACTERS) break;
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

/** Writes a text in all spellings; those that say nothing new are left out. */
class SpellingWriter {
  private readonly plain: string[] = [];
  /** Other spellings of words, by their place. */
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
    // There is no room for the other spellings of a text with very many words.
    if (this.others.length === 0 || this.words > MOST_WORDS / 2) return [plain];
    const typed = [...this.plain];
    const umlauts = [...this.plain];
    for (const [place, one, other] of this.others) {
      typed[place] = one;
      umlauts[place] = other;
    }
    return [...new Set([plain, typed.join(' '), umlauts.join(' ')])];
  }
}

/** The stemmers of PostgreSQL 15, by ISO 639-1 code; their names are the English names of languages. */
const STEMMERS: Readonly<Record<string, string>> = {
  ...{
    ar: 'arabic',
    hy: 'armenian',
    eu: 'basque',
    ca: 'catalan',
    da: 'danish',
    nl: 'dutch',
    en: 'english',
    fi: 'finnish',
  },
  ...{
    fr: 'french',
    de: 'german',
    el: 'greek',
    hi: 'hindi',
    hu: 'hungarian',
    id: 'indonesian',
    ga: 'irish',
    it: 'italian',
  },
  ...{
    lt: 'lithuanian',
    ne: 'nepali',
    no: 'norwegian',
    nb: 'norwegian',
    nn: 'norwegian',
    pt: 'portuguese',
    ro: 'romanian',
  },
  ...{
    ru: 'russian',
    sr: 'serbian',
    es: 'spanish',
    sv: 'swedish',
    ta: 'tamil',
    tr: 'turkish',
    yi: 'yiddish',
  },
};
const NAMES = new Set(Object.values(STEMMERS));

/** The text search configuration of a document's language: English without one, `simple`, without a stemmer, for others. */
export function textConfiguration(language: unknown): string {
  const given = typeof language === 'string' ? language.trim().toLowerCase() : '';
  if (given === '' || given === 'auto') return 'english';
  const [name = ''] = /^[a-z]*/.exec(given) ?? [];
  return NAMES.has(name) ? name : (Object.hasOwn(STEMMERS, name) && STEMMERS[name]) || 'simple';
}
