import { threadTask } from '../../../platform/threads/thread-task.js';
import { applyEdits, type EditOutcome, type TextEdit } from '../../content/text-edits.js';
import { makeDelta } from '../../content/versions/reverse-deltas.js';
import { diffContents, type DiffLabels } from '../../content/versions/content-diff.js';
import { rebaseRanges, type TextRange } from '../../content/versions/rebase-ranges.js';
import { countWords } from '@document-service/text-analysis/word-count';

/** What has to be worked out when a content gives way to another. */
export interface ContentChange {
  /** Of the content after. */
  wordCount: number;
  /** Makes the content before from the content after. */
  delta: string;
}

/** Work that grows with contents; pure, so that it may be done in this thread or in another one. */
export const LONG_TEXT_WORK = {
  words: ({ text }: { text: string }): number => countWords(text),
  change: ({ before, after }: { before: string; after: string }): ContentChange => ({
    wordCount: countWords(after),
    delta: makeDelta(after, before),
  }),
  edits: (task: {
    text: string;
    edits: readonly TextEdit[];
    maxBytes: number;
  }): Promise<EditOutcome> => applyEdits(task.text, task.edits, task.maxBytes),
  /** JSON text: to write it takes as long as to find it out. */
  diff: ({ from, to, labels }: { from: string; to: string; labels: DiffLabels }): string =>
    JSON.stringify(diffContents(from, to, labels)),
  rebase: (task: {
    before: string;
    after: string;
    ranges: readonly TextRange[];
  }): (TextRange | null)[] => rebaseRanges(task.before, task.after, task.ranges),
};

export type LongTextWork = typeof LONG_TEXT_WORK;
export type LongTextTask<Kind extends keyof LongTextWork> = Parameters<LongTextWork[Kind]>[0];

/** What threads are sent. */
export interface LongTextMessage {
  kind: keyof LongTextWork;
  task: unknown;
}

export default threadTask(({ kind, task }: LongTextMessage) => LONG_TEXT_WORK[kind](task as never));
