import { partsOf, spellingsOf, type Part } from './tokenize.js';

/** A word or phrase of a search, required or excluded. */
export interface Literal {
  text: string;
  phrase: boolean;
  negated: boolean;
}

const PARTS = /(-?)"([^"]*)"|(-?)([^\s"]+)|"/g;

/**
 * Parses a search in web search syntax: all words are required, `or` separates alternatives, quotes make phrases, and a
 * leading `-` excludes. Returns a list of alternatives. Other punctuation is treated as whitespace.
 */
export function readSearch(text: string): Literal[][] {
  const alternatives: Literal[][] = [[]];
  for (const [part, notPhrase, phrase, notWord, word = ''] of text.matchAll(PARTS)) {
    if (part === '"') continue;
    if (phrase !== undefined) {
      alternatives.at(-1)?.push({ text: phrase, phrase: true, negated: notPhrase === '-' });
    } else if (notWord === '' && word.toLowerCase() === 'or') {
      alternatives.push([]);
    } else {
      alternatives.at(-1)?.push({ text: word, phrase: false, negated: notWord === '-' });
    }
  }
  return alternatives.filter((literals) => literals.length > 0);
}

/** A literal in the input of the database function `search_query`. */
interface AskedLiteral {
  negated: boolean;
  /** Words to stem, in `to_tsquery` syntax. */
  words?: string;
  /** Exact index terms, in `tsquery` syntax: single characters of scripts without spaces. */
  terms?: string;
  /** The last character of a phrase. In the text, the next character may belong to the same word. */
  ending?: string;
  /** Terms to use if there are only stop words: words joined by punctuation. */
  joined?: string;
}

/** Returns the index query of a search: alternatives of literals that must all match. */
export function askedLiterals(search: readonly Literal[][]): AskedLiteral[][] {
  return search.map((literals) => literals.map(askedLiteral));
}

function askedLiteral({ text, phrase, negated }: Literal): AskedLiteral {
  const parts = [...partsOf(text)];
  const joined = parts.flatMap((part) => part.joined);
  return {
    negated,
    ...(phrase ? phraseOf(parts) : wordsOf(parts)),
    ...(joined.length > 0 && { joined: allOf(joined) }),
  };
}

/** Matches each word anywhere, and adjacent characters as a phrase of their pairs. */
function wordsOf(parts: readonly Part[]): Omit<AskedLiteral, 'negated'> {
  const stretches = stretchesOf(parts);
  const characters = stretches.filter(isOneCharacter).map(([part]) => part?.text ?? '');
  const phrases = stretches
    .filter((stretch) => !isOneCharacter(stretch))
    .map((stretch) => tokensOf(stretch, true));
  return {
    ...(phrases.length > 0 && { words: spelled(phrases) }),
    ...(characters.length > 0 && { terms: allOf(characters) }),
  };
}

function phraseOf(parts: readonly Part[]): Omit<AskedLiteral, 'negated'> {
  const stretches = stretchesOf(parts);
  const last = stretches.at(-1);
  const isOpen = last !== undefined && isOneCharacter(last);
  if (isOpen && stretches.length === 1) return wordsOf(parts);
  const words = (isOpen ? stretches.slice(0, -1) : stretches).flatMap((stretch, index) =>
    tokensOf(stretch, index === stretches.length - 1),
  );
  return {
    ...(words.length > 0 && { words: spelled([words]) }),
    ...(isOpen && { ending: `'${last[0]?.text ?? ''}':*` }),
  };
}

/** Returns the sequences of adjacent characters of scripts without spaces. */
export function characterStretches(text: string): string[] {
  return stretchesOf([...partsOf(text)])
    .filter(([first]) => first?.isCharacter)
    .map((stretch) => stretch.map((part) => part.text).join(''));
}

/** Groups parts: each word separately, adjacent characters together. */
function stretchesOf(parts: readonly Part[]): Part[][] {
  const stretches: Part[][] = [];
  for (const part of parts) {
    const last = stretches.at(-1);
    if (part.isCharacter && part.isAdjacent && last?.at(-1)?.isCharacter) last.push(part);
    else stretches.push([part]);
  }
  return stretches;
}

function isOneCharacter(stretch: readonly Part[]): boolean {
  return stretch.length === 1 && stretch[0]?.isCharacter === true;
}

/** Returns the index tokens of a stretch. If the text may continue, the last character has no separate token. */
function tokensOf(stretch: readonly Part[], mayContinue: boolean): string[] {
  if (!stretch[0]?.isCharacter) return stretch.map(({ text }) => text);
  const pairs = stretch.map(({ text }, index) => text + (stretch[index + 1]?.text ?? ''));
  return mayContinue ? pairs.slice(0, -1) : pairs;
}

/** Requires all phrases, in any spelling of their words. */
function spelled(phrases: readonly string[][]): string {
  const spellings = [0, 1, 2].map((spelling) =>
    phrases
      .map((words) => words.map((word) => `'${spellingsOf(word)[spelling] ?? word}'`).join(' <-> '))
      .join(' & '),
  );
  return [...new Set(spellings)].join(' | ');
}

/** Requires all terms. Quotes them, so that punctuation is not parsed as an operator. */
function allOf(terms: readonly string[]): string {
  return terms.map((term) => `'${term}'`).join(' & ');
}
