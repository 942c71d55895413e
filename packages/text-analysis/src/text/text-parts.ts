import type { TextRange } from '../analysis.js';
import { MASK, type Paragraph } from './prose.js';
import { type Reading, readingOf } from './reading.js';
import { sentencesOf, wordsOf } from './sentences.js';

/** A sentence of a reading, with its words and range. */
export interface Sentence {
  /** Text without markers, with a noun for code. */
  reading: string;
  /** Words, without code and addresses. */
  words: string[];
  /** The same words, grouped where only white space separates them. */
  stretches: string[][];
  /** Range in the whole text, or `null` if it starts or ends in a mask. */
  range: TextRange | null;
  paragraph: Paragraph;
}

/** Kinds of paragraphs that have sentences. Headings and cells do not. */
const SENTENCE_KINDS: ReadonlySet<Paragraph['kind']> = new Set(['paragraph', 'quote', 'list-item']);

export function hasSentences(paragraph: Paragraph): boolean {
  return SENTENCE_KINDS.has(paragraph.kind);
}

/** Returns the sentences of all paragraphs. Takes linear time. */
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

/** Returns the words of a paragraph, grouped as those of a sentence. */
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

/** Returns the range of a sentence, including punctuation at its ends and masks in it. */
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
