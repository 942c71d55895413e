import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AppError } from '../../errors/app-error.js';
import { resultOf, type ThreadAnswer } from '../../threads/thread-answer.js';
import { ThreadPool, ThreadPoolError } from '../../threads/thread-pool.js';
import { threadProgram } from '../../threads/thread-program.js';
import { applyEdits, type EditOutcome, type TextEdit } from '../changes/text-edits.js';
import { changedUnits } from '../versions/content-delta.js';
import { diffContents, type DiffLabels } from '../versions/content-diff.js';
import { countWords, needsDictionary } from '../word-count.js';
import { contentChange, type ContentChange } from './content-change.js';
import type { LongTextJob, LongTextWork } from './long-text-thread.js';

/** Few, because what they do takes less than a second; jobs of minutes have threads of their own. */
const THREADS = 2;

/** From these sizes on, in UTF-16 units, work takes longer than some ten milliseconds (ADR 0032). */
const LONG = {
  diff: 32 * 1024,
  dictionary: 4 * 1024,
  changed: 64 * 1024,
  replacedEverywhere: 64 * 1024,
  /** Length of the text times the number of edits. */
  edited: 8 * 1024 * 1024,
};

/**
 * Work on contents that grows with them. What is long is done in a thread, so that no request holds up the others; what
 * is short is done at once, because to send it away takes longer. Throws `unavailable` when too much waits.
 */
@Injectable()
export class LongTexts implements OnApplicationShutdown {
  private readonly pool = new ThreadPool({
    ...threadProgram(import.meta.url, 'long-text-thread'),
    threads: THREADS,
    maxWaiting: 256,
    maxOfOwner: 128,
    timeLimitMs: 30_000,
    waitLimitMs: 20_000,
    idleMs: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
  });

  /** How many words a content has. `accountId` is whose work it is: no account takes all threads. */
  async words(accountId: string, text: string): Promise<number> {
    if (text.length <= LONG.dictionary || !needsDictionary(text)) return countWords(text);
    return this.run(accountId, 'words', { text });
  }

  /** What has to be known when a content gives way to another. */
  async change(accountId: string, before: string, after: string): Promise<ContentChange> {
    if (!this.changeTakesLong(before, after)) return contentChange(before, after);
    return this.run(accountId, 'change', { before, after });
  }

  changeTakesLong(before: string, after: string): boolean {
    return (
      (after.length > LONG.dictionary && needsDictionary(after)) ||
      (after.length > LONG.changed && changedUnits(before, after) > LONG.changed)
    );
  }

  /** As `applyEdits`. */
  async edited(
    accountId: string,
    text: string,
    edits: readonly TextEdit[],
    maxBytes: number,
  ): Promise<EditOutcome> {
    if (!this.editsTakeLong(text, edits)) return applyEdits(text, edits, maxBytes);
    return this.run(accountId, 'edits', { text, edits, maxBytes });
  }

  editsTakeLong(text: string, edits: readonly TextEdit[]): boolean {
    return (
      text.length * edits.length > LONG.edited ||
      (text.length > LONG.replacedEverywhere && edits.some((edit) => 'all' in edit && edit.all))
    );
  }

  /** As `diffContents`, as JSON text. */
  async diff(accountId: string, from: string, to: string, labels: DiffLabels): Promise<string> {
    if (from.length + to.length <= LONG.diff) {
      return JSON.stringify(diffContents(from, to, labels));
    }
    return this.run(accountId, 'diff', { from, to, labels });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }

  private async run<Kind extends keyof LongTextWork>(
    accountId: string,
    kind: Kind,
    work: LongTextWork[Kind]['job'],
  ): Promise<LongTextWork[Kind]['result']> {
    const job = { kind, ...work } as LongTextJob;
    const answer = await this.pool.run(accountId, job).catch((error: unknown) => {
      throw error instanceof ThreadPoolError ? explained(error) : error;
    });
    return resultOf(answer as ThreadAnswer<LongTextWork[Kind]['result']>);
  }
}

function explained(error: ThreadPoolError): Error {
  switch (error.failure) {
    case 'timed out':
    case 'crowded':
    case 'closed':
      return new AppError(
        'unavailable',
        'Too many long documents are being worked on right now. Try again shortly.',
        undefined,
        { retryAfterSeconds: 5 },
      );
    case 'out of memory':
    case 'crashed':
      return error;
  }
}
