import type { TextRange } from '../analysis.js';
import type { Paragraph } from './prose.js';

/** Anchors repeat a heading, with its mistakes: `#instalation`. */
const ANCHOR = /#[^\s)]+/g;
/** Words of identifiers: `parse`, `tokn` and `parseTokn` of `parseTokn`. */
const IDENTIFIER = /[A-Za-z]{3,}/g;
const PART = /[A-Z]?[a-z]{2,}|[A-Z]{3,}/g;

/**
 * Returns the words in the code of a text, in lower case: in code blocks and spans, HTML, front matter, addresses,
 * paths and identifiers. Takes linear time.
 */
export function codeWords(text: string, paragraphs: readonly Paragraph[]): ReadonlySet<string> {
  const words = new Set<string>();
  let last = 0;
  for (const { start, end, masked } of paragraphs) {
    addWords(words, text, { start: last, end: start });
    for (const mask of masked)
      addWords(words, text, { start: start + mask.start, end: start + mask.end });
    last = Math.max(last, end);
  }
  addWords(words, text, { start: last, end: text.length });
  return words;
}

function addWords(words: Set<string>, text: string, { start, end }: TextRange): void {
  if (end - start < 3) return;
  const code = text.slice(start, end).replace(ANCHOR, ' ');
  for (const [identifier] of code.matchAll(IDENTIFIER)) {
    words.add(identifier.toLowerCase());
    if (!/[a-z][A-Z]/.test(identifier)) continue;
    for (const [part] of identifier.matchAll(PART)) words.add(part.toLowerCase());
  }
}
