import type { TextRange } from '../analysis.js';
import type { LogProbability } from '../spelling/english-judgement.js';
import type { Reading } from '../text/reading.js';
import { sentencesOf, wordsOf } from '../text/sentences.js';
import {
  type LanguageModel,
  SENTENCE_END,
  SENTENCE_START,
  UNKNOWN_WORD,
} from './language-model.js';

/** A word of a reading. The parts of a compound with hyphens are words of their own. */
export interface SequenceWord extends TextRange {
  /** In lower case, with straight apostrophes. */
  lower: string;
  /** Id in the language model. Code and addresses are unknown words. */
  id: number;
}

/** Words whose probability depends on a word: the two after it. */
const REACH = 2;

/** The words of a reading, as a language model reads them: each sentence between a start and an end. */
export class WordSequence {
  readonly words: readonly SequenceWord[];
  private indices: ReadonlyMap<number, number> | undefined;

  constructor(
    reading: Reading,
    private readonly model: LanguageModel,
  ) {
    const { text } = reading;
    const words: SequenceWord[] = [];
    for (const sentence of sentencesOf(text)) {
      words.push({
        start: sentence.start,
        end: sentence.start,
        lower: '',
        id: model.idOf(SENTENCE_START),
      });
      for (const { start, end } of partsOf(text.slice(sentence.start, sentence.end))) {
        const range = { start: sentence.start + start, end: sentence.start + end };
        const lower = modelWord(text.slice(range.start, range.end));
        const isMasked = reading.isMasked(range.start);
        words.push({ ...range, lower, id: isMasked ? UNKNOWN_WORD : model.idOf(lower) });
      }
      words.push({
        start: sentence.end,
        end: sentence.end,
        lower: '',
        id: model.idOf(SENTENCE_END),
      });
    }
    this.words = words;
  }

  /**
   * Returns a function that computes the natural logarithm of the probability of words in the place of this range, and of the
   * two words after it. Its values are only comparable with each other. They are 0 if the range is not that of a word.
   */
  inPlaceOf({ start, end }: TextRange): LogProbability {
    this.indices ??= new Map(
      this.words.flatMap(({ lower, ...word }, index) =>
        lower === '' ? [] : [[word.start, index]],
      ),
    );
    const first = this.indices.get(start);
    if (first === undefined) return () => 0;
    let next = first + 1;
    while ((this.words[next]?.end ?? Infinity) <= end) next += 1;
    return (words) => this.logProbability(first, words, next);
  }

  /**
   * Returns the natural logarithm of the probability of words that replace those from `index` up to `next`, and of the two
   * words after them.
   */
  logProbability(index: number, words: readonly string[], next = index + 1): number {
    const { model } = this;
    let beforePrevious = this.words[index - 2]?.id;
    let previous = this.words[index - 1]?.id;
    let sum = 0;
    const add = (id: number) => {
      sum += model.logProbability(id, previous, beforePrevious);
      beforePrevious = previous;
      previous = id;
    };
    for (const word of words) add(model.idOf(word));
    for (const { id, lower } of this.words.slice(next, next + REACH)) {
      add(id);
      // The end of the sentence.
      if (lower === '') break;
    }
    return sum;
  }
}

/** Returns a word as the language model contains it. */
export function modelWord(word: string): string {
  return word.toLowerCase().replaceAll('’', "'");
}

/** Returns the words of a sentence, with compounds cut at their hyphens. */
function* partsOf(text: string): Generator<TextRange> {
  for (const { start, end } of wordsOf(text)) {
    let from = start;
    for (const part of text.slice(start, end).split(/[-‑]/)) {
      if (part !== '') yield { start: from, end: from + part.length };
      from += part.length + 1;
    }
  }
}
