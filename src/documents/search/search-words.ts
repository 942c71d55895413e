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
