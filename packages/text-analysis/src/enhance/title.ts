import { keywordsOf } from '../facts/keywords.js';
import { outlineOf } from '../facts/outline.js';
import type { Paragraph } from '../text/prose.js';
import { sentencesOfText } from '../text/text-parts.js';

/** Longest title, in UTF-16 units. */
const LONGEST = 80;
const FEWEST_WORDS = 2;
/** A shorter part of a sentence says too little. */
const FEWEST_OF_PART = 4;
const KEYWORDS = 3;

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
  const opening = sentences.find(({ words }) => words.length >= FEWEST_WORDS);
  const phrase = opening && phraseOf(opening.reading);
  if (phrase !== undefined) return phrase;
  const keywords = keywordsOf(paragraphs, sentences, language, null).slice(0, KEYWORDS);
  const terms = keywords.map(({ term }) => term).join(', ');
  if (terms !== '') return capitalized(shortened(terms));
  if (opening) return capitalized(shortened(opening.reading));
  return first ? shortened(first.text) : null;
}

/** Returns a sentence, or its first part, without the sign at its end. Undefined if it has no part of a fitting length. */
function phraseOf(sentence: string): string | undefined {
  const whole = sentence.replace(/\s+/gu, ' ').trim();
  if (/\p{Co}|￼/u.test(whole)) return undefined;
  const bare = whole.replace(/[.。:;,]+$/u, '');
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
