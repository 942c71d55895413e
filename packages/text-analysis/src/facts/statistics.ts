import { countWords } from '../word-count.js';
import type { Paragraph } from '../text/prose.js';
import { hasSentences, type Sentence } from '../text/text-parts.js';

export interface TextStatistics {
  /** Like `wordCount` of a document: the whole text, including code. */
  words: number;
  /** In paragraphs, list items and quotations. */
  sentences: number;
  paragraphs: number;
  /** Code points, including white space. */
  characters: number;
  readingTimeSeconds: number;
}

/** Silent reading of English non-fiction: Brysbaert, "How many words do we read per minute?" (2019). */
const WORDS_PER_MINUTE = 238;

export function statisticsOf(
  text: string,
  paragraphs: readonly Paragraph[],
  sentences: readonly Sentence[],
): TextStatistics {
  const words = countWords(text);
  return {
    words,
    sentences: sentences.filter((sentence) => sentence.words.length > 0).length,
    paragraphs: paragraphs.filter(hasSentences).length,
    characters: codePoints(text),
    readingTimeSeconds: Math.ceil((words / WORDS_PER_MINUTE) * 60),
  };
}

function codePoints(text: string): number {
  let count = text.length;
  for (let index = 1; index < text.length; index += 1) {
    const isLow = (text.charCodeAt(index) & 0xfc00) === 0xdc00;
    if (isLow && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800) count -= 1;
  }
  return count;
}
