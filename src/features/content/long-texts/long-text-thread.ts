import { threadTask } from '../../../platform/threads/thread-task.js';
import { applyEdits, type EditOutcome, type TextEdit } from '../text/text-edits.js';
import { makeDelta } from '../text/reverse-deltas.js';
import { diffContents, type DiffLabels } from '../text/content-diff.js';
import { rebaseRanges, type TextRange } from '@document-service/text-merge/rebase-ranges';
import {
  proposedChanges,
  type ProposedChanges,
  type ProposedTexts,
} from '../text/proposed-changes.js';
import { mergeText, type TextMerge } from '@document-service/text-merge/merge-text';
import { countWords } from '@document-service/text-analysis/word-count';

/** The values to compute when content changes. */
export interface ContentChange {
  /** Words in the new content. */
  wordCount: number;
  /** Turns the new content back into the previous content. */
  delta: string;
}

/** A text that two sides changed. */
export interface MergeSides {
  base: string;
  yours: string;
  theirs: string;
}

export type MergedText = Pick<TextMerge, 'text' | 'overlaps'>;

/** Pure functions whose cost grows with the content. They run on the event loop or in a thread. */
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
  /** Returns JSON text, because serializing a diff takes as long as computing it. */
  diff: ({ from, to, labels }: { from: string; to: string; labels: DiffLabels }): string =>
    JSON.stringify(diffContents(from, to, labels)),
  merge: ({ sides }: { sides: readonly MergeSides[] }): MergedText[] =>
    sides.map(({ base, yours, theirs }) => {
      const { text, overlaps } = mergeText(base, yours, theirs);
      return { text, overlaps };
    }),
  rebase: (task: {
    before: string;
    after: string;
    ranges: readonly TextRange[];
  }): (TextRange | null)[] => rebaseRanges(task.before, task.after, task.ranges),
  proposal: ({ texts }: { texts: ProposedTexts }): ProposedChanges => proposedChanges(texts),
};

export type LongTextWork = typeof LONG_TEXT_WORK;
export type LongTextTask<Kind extends keyof LongTextWork> = Parameters<LongTextWork[Kind]>[0];

/** A message to a thread. */
export interface LongTextMessage {
  kind: keyof LongTextWork;
  task: unknown;
}

export default threadTask(({ kind, task }: LongTextMessage) => LONG_TEXT_WORK[kind](task as never));
