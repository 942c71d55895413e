import { answerJobs } from '../../threads/thread-answer.js';
import { applyEdits, type EditOutcome, type TextEdit } from '../changes/text-edits.js';
import { diffContents, type DiffLabels } from '../versions/content-diff.js';
import { countWords } from '../word-count.js';
import { contentChange, type ContentChange } from './content-change.js';

/** What a thread is asked for, and what it answers. */
export interface LongTextWork {
  words: { job: { text: string }; result: number };
  change: { job: { before: string; after: string }; result: ContentChange };
  edits: {
    job: { text: string; edits: readonly TextEdit[]; maxBytes: number };
    result: EditOutcome;
  };
  /** JSON text: to write it takes as long as to find it out. */
  diff: { job: { from: string; to: string; labels: DiffLabels }; result: string };
}

export type LongTextJob = {
  [Kind in keyof LongTextWork]: { kind: Kind } & LongTextWork[Kind]['job'];
}[keyof LongTextWork];

function workOnText(job: LongTextJob): unknown {
  switch (job.kind) {
    case 'words':
      return countWords(job.text);
    case 'change':
      return contentChange(job.before, job.after);
    case 'edits':
      return applyEdits(job.text, job.edits, job.maxBytes);
    case 'diff':
      return JSON.stringify(diffContents(job.from, job.to, job.labels));
  }
}

answerJobs(workOnText);
