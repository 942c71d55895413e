import { partsOf, spellingsOf, type Part } from './text-analysis.js';

/** A word or phrase of a search, wanted or not. */
export interface Literal {
  text: string;
  phrase: boolean;
  negated: boolean;
}

const PARTS = /(-?)"([^"]*)"|(-?)([^\s"]+)|"/g;

/**
 * Reads a search as people type it on the web: words must all be there, `or` between words makes alternatives, quotes
 * keep words together, a leading `-` excludes. The result is a list of alternatives; signs that make no sense are read
 * as white space.
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

/** A literal as the database function `search_query` takes it. */
export interface AskedLiteral {
  negated: boolean;
  /** In the syntax of `to_tsquery`: a stemmer finds other forms of them. */
  words?: string;
  /** Terms of the index as they stand, in the syntax of `tsquery`: single characters of scripts without spaces. */
  terms?: string;
  /** The character that a phrase ends with: what follows it in a text may be one word with it. */
  ending?: string;
  /** What is looked for when there are stop words only: signs join them to one word. */
  joined?: string;
}

/** What is asked of the index: alternatives, each of literals that must all hold. */
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

/** Each word anywhere; characters that stand together as a phrase of their pairs. */
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

/** Characters of scripts without spaces in a text, as far as they stand together. */
export function characterStretches(text: string): string[] {
  return stretchesOf([...partsOf(text)])
    .filter(([first]) => first?.isCharacter)
    .map((stretch) => stretch.map((part) => part.text).join(''));
}

/** Words one by one, and characters as far as they stand together. */
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

/** Tokens of a stretch as they are indexed; where the text may go on, the last character has no token of its own. */
function tokensOf(stretch: readonly Part[], mayGoOn: boolean): string[] {
  if (!stretch[0]?.isCharacter) return stretch.map(({ text }) => text);
  const pairs = stretch.map(({ text }, index) => text + (stretch[index + 1]?.text ?? ''));
  return mayGoOn ? pairs.slice(0, -1) : pairs;
}

/** All of the phrases, in any of the spellings of words. */
function spelled(phrases: readonly string[][]): string {
  const spellings = [0, 1, 2].map((spelling) =>
    phrases
      .map((words) => words.map((word) => `'${spellingsOf(word)[spelling] ?? word}'`).join(' <-> '))
      .join(' & '),
  );
  return [...new Set(spellings)].join(' | ');
}

/** Quoted, so that no sign is taken for an operator. */
function allOf(terms: readonly string[]): string {
  return terms.map((term) => `'${term}'`).join(' & ');
}
