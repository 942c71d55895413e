import { makeDelta } from '../versions/content-delta.js';
import { countWords } from '../word-count.js';

/** What has to be worked out when a content gives way to another. */
export interface ContentChange {
  /** Of the content after. */
  wordCount: number;
  /** Makes the content before from the content after. */
  delta: string;
}

/** Some milliseconds as a rule; longer where much changes, see `LongTexts`. */
export function contentChange(before: string, after: string): ContentChange {
  return { wordCount: countWords(after), delta: makeDelta(after, before) };
}
