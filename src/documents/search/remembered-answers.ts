import { LRUCache } from 'lru-cache';

/** What a kept answer takes beside its texts. */
const OVERHEAD_BYTES = 500;

interface Limits {
  answers: number;
  bytes: number;
}

interface Remembered<Answer> {
  /** Of the data, when the answer was true. */
  state: string;
  answer: Answer;
}

/**
 * Keeps answers that may be given again while what they depend on is the same, the ones asked for last. Whoever takes
 * one must see that its state still is the one of the data: nothing here ends by itself. The memory it takes is limited.
 */
export class RememberedAnswers<Answer> {
  private readonly kept: LRUCache<string, Remembered<Answer>>;

  /** `textOf` is what takes most of the memory of an answer. */
  constructor({ answers, bytes }: Limits, textOf: (answer: Answer) => string) {
    this.kept = new LRUCache<string, Remembered<Answer>>({
      max: answers,
      maxSize: bytes,
      // A character takes two bytes when any of its text needs them.
      sizeCalculation: ({ answer }, key) =>
        2 * (key.length + textOf(answer).length) + OVERHEAD_BYTES,
    });
  }

  /** `key` must name everything but the state that the answer depends on, the account first of all. */
  get(key: string): Remembered<Answer> | undefined {
    return this.kept.get(key);
  }

  set(key: string, remembered: Remembered<Answer>): void {
    this.kept.set(key, remembered);
  }
}
