import { keywordsOf } from '../facts/keywords.js';
import { outlineOf } from '../facts/outline.js';
import type { Paragraph } from '../text/prose.js';
import { sentencesOfText, type Sentence } from '../text/text-parts.js';

/** Longest title, in UTF-16 units. */
const LONGEST = 80;
const FEWEST_WORDS = 2;
/** A shorter part of a sentence says too little. */
const FEWEST_OF_PART = 4;
const KEYWORDS = 3;
/** Maximum number of words of a salutation, a paragraph that ends with a comma: `Hi Anna,`. */
const LONGEST_SALUTATION = 5;

/** Headings that say nothing about the subject. */
const GENERIC =
  /^(?:(?:table of )?contents|introduction|overview|summary|abstract|background|features|install(?:ation)?|usage|getting started|quick ?start|license|about|preface|foreword|readme|einleitung|inhalt(?:sverzeichnis)?|zusammenfassung|überblick|introducción|resumen|sommaire|résumé)[.:]?$/i;

/**
 * Returns a title from the words of the text, or null if it has no prose: its first heading, or else its first sentence or
 * the beginning of it up to a comma or a similar sign, or else its most important terms.
 */
export function titleOf(
  text: string,
  paragraphs: readonly Paragraph[],
  language: string,
): string | null {
  const headings = outlineOf(text, paragraphs);
  const [first] = headings;
  const heading = [first, headings.find(({ level }) => level === 1)].find(
    (one) => one !== undefined && !GENERIC.test(one.text),
  );
  if (heading) return shortened(heading.text);
  const sentences = sentencesOfText(paragraphs, language);
  const opening = sentences.find(
    ({ words, paragraph }) =>
      words.length >= FEWEST_WORDS &&
      !(words.length <= LONGEST_SALUTATION && /,\s*$/.test(paragraph.prose)),
  );
  const sentence = opening && plainText(opening, text);
  const phrase = sentence === undefined ? undefined : phraseOf(sentence);
  if (phrase !== undefined) return phrase;
  const keywords = keywordsOf(paragraphs, sentences, language, null);
  const repeated = keywords.filter(({ count }) => count > 1).slice(0, KEYWORDS);
  const terms = repeated.map(({ term }) => term).join(', ');
  if (terms !== '') return capitalized(shortened(terms));
  if (sentence !== undefined) return capitalized(shortened(sentence));
  return first ? shortened(first.text) : null;
}

/** Returns a sentence without markers, but with the code in it. Undefined if it contains an address or starts or ends in code. */
function plainText({ paragraph, range }: Sentence, text: string): string | undefined {
  if (!range) return undefined;
  const [from, to] = [range.start - paragraph.start, range.end - paragraph.start];
  const parts: string[] = [];
  let at = from;
  for (const { start, end, reads } of paragraph.masked) {
    if (end <= from || start >= to) continue;
    parts.push(paragraph.prose.slice(at, Math.max(at, start)));
    const source = text.slice(paragraph.start + start, paragraph.start + end);
    if (reads.trim() !== '') parts.push(source.replace(/^(`+) ?([^]*?) ?\1$/u, '$2'));
    else parts.push(reads);
    at = end;
  }
  parts.push(paragraph.prose.slice(at, to));
  const plain = parts.join('').replace(/\s+/gu, ' ').trim();
  return /:\/\/|[<>]/.test(plain) ? undefined : plain;
}

/** Returns a sentence, or its first part, without the sign at its end. Undefined if it has no part of a fitting length. */
function phraseOf(sentence: string): string | undefined {
  const bare = sentence.replace(/[.。:;,]+$/u, '');
  if (bare.length <= LONGEST) return capitalized(bare);
  const cuts = [...bare.matchAll(/(?:, | – | — |: |; | \()/gu)].map(({ index }) => index);
  const cut = cuts.filter((at) => at <= LONGEST).at(-1);
  const part = bare.slice(0, cut ?? 0);
  const isLong = part.split(' ').length >= FEWEST_OF_PART;
  return isLong ? capitalized(part) : undefined;
}

/** Cuts a text at a space. */
function shortened(text: string): string {
  const plain = text.replace(/\s+/gu, ' ').trim();
  if (plain.length <= LONGEST) return plain;
  const space = plain.lastIndexOf(' ', LONGEST - 1);
  const cut = space > LONGEST / 2 ? space : LONGEST - 1;
  return `${plain
    .slice(0, cut)
    .toWellFormed()
    .replace(/[\s,.:;–—\ufffd-]+$/u, '')}…`;
}

function capitalized(text: string): string {
  const [first = ''] = text;
  return first.toLocaleUpperCase() + text.slice(first.length);
}
