import type { TextRange } from './analysis.js';
import { MASK, type Paragraph } from './prose.js';
import { type Reading, readingOf } from './reading.js';
import { sentencesOf, wordsOf } from './sentences.js';

/** A sentence as it is read, with its words and where it stands. */
export interface Sentence {
  /** As it is read: without marks, code as a noun. */
  reading: string;
  /** Words as they are read, without code and addresses. */
  words: string[];
  /** The same words in stretches with nothing but white space between them. */
  stretches: string[][];
  /** In the whole text; `null` where it begins or ends within a mask. */
  range: TextRange | null;
  paragraph: Paragraph;
}

/** Kinds of paragraphs that are made of sentences; headings and cells are not. */
const SENTENCE_KINDS: ReadonlySet<Paragraph['kind']> = new Set(['paragraph', 'quote', 'list-item']);

export function hasSentences(paragraph: Paragraph): boolean {
  return SENTENCE_KINDS.has(paragraph.kind);
}

/** The sentences of paragraphs that have any. Linear in the length of the text. */
export function sentencesOfText(paragraphs: readonly Paragraph[], language: string): Sentence[] {
  return paragraphs.filter(hasSentences).flatMap((paragraph) => sentencesIn(paragraph, language));
}

function sentencesIn(paragraph: Paragraph, language: string): Sentence[] {
  const reading = readingOf(paragraph);
  return sentencesOf(reading.text, language).map(({ start, end }) => {
    const text = reading.text.slice(start, end);
    const stretches = spokenWords(reading, text, start);
    return {
      reading: text,
      words: stretches.flat(),
      stretches,
      range: wholeRange(reading, start, end, paragraph),
      paragraph,
    };
  });
}

/** The words of a paragraph as it is read, in stretches as those of a sentence. */
export function stretchesOfParagraph(paragraph: Paragraph): string[][] {
  const reading = readingOf(paragraph);
  return spokenWords(reading, reading.text, 0);
}

function spokenWords(reading: Reading, text: string, offset: number): string[][] {
  const stretches: string[][] = [];
  let lastEnd = -1;
  for (const { start, end } of wordsOf(text)) {
    if (reading.isMasked(start + offset)) continue;
    const word = text.slice(start, end);
    const stretch = stretches.at(-1);
    if (stretch && lastEnd >= 0 && text.slice(lastEnd, start).trim() === '') stretch.push(word);
    else stretches.push([word]);
    lastEnd = end;
  }
  return stretches;
}

/** From the first to the last character of a sentence, with the marks that touch it, masks between them included. */
function wholeRange(
  reading: Reading,
  from: number,
  to: number,
  paragraph: Paragraph,
): TextRange | null {
  const first = reading.sourceOf(from, from + 1);
  const last = reading.sourceOf(to - 1, to);
  if (!first || !last) return null;
  let { start } = first;
  let { end } = last;
  while (paragraph.prose[start - 1] === MASK) start -= 1;
  while (paragraph.prose[end] === MASK) end += 1;
  return { start: paragraph.start + start, end: paragraph.start + end };
}
