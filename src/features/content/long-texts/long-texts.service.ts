import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { unavailableIfBusy, ThreadPool } from '../../../platform/threads/thread-pool.js';
import { threadModule } from '../../../platform/threads/thread-task.js';
import type { EditOutcome, TextEdit } from '../text/text-edits.js';
import { changedUnits } from '../text/reverse-deltas.js';
import type { DiffLabels } from '../text/content-diff.js';
import type { ProposedChanges, ProposedTexts } from '../text/proposed-changes.js';
import type { TextRange } from '@document-service/text-merge/rebase-ranges';
import { needsDictionary } from '@document-service/text-analysis/word-count';
import {
  LONG_TEXT_WORK,
  type ContentChange,
  type LongTextMessage,
  type LongTextTask,
  type LongTextWork,
  type MergedText,
  type MergeSides,
} from './long-text-thread.js';

const BUSY = 'Too many long documents are being processed. Try again shortly.';

/** Two are enough, because each task takes less than a second. Jobs that take minutes have separate threads. */
const THREADS = 2;

/** Sizes in UTF-16 code units above which work takes about 10 ms or more (docs/adr/0004-no-request-blocks-the-event-loop.md). */
const LONG = {
  diff: 8 * 1024,
  dictionary: 4 * 1024,
  beyondAscii: 64 * 1024,
  changed: 16 * 1024,
  replacedEverywhere: 64 * 1024,
  /** Length of the three texts of a merge. */
  merged: 1024,
  /** Length of the text times the number of edits. */
  edited: 8 * 1024 * 1024,
};

/**
 * Runs work on content. Long work runs in a thread, so that it does not block the event loop. Short work runs directly,
 * because messaging a thread takes longer. Throws `unavailable` if the queue is full. `accountId` owns the work, so that
 * one account cannot use all threads.
 */
@Injectable()
export class LongTextsService implements OnApplicationShutdown {
  private readonly pool = new ThreadPool({
    ...threadModule(import.meta.url, 'long-text-thread'),
    threads: THREADS,
    maxWaiting: 256,
    maxOfOwner: 128,
    timeLimitMs: 30_000,
    waitLimitMs: 20_000,
    idleMs: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
  });

  async words(accountId: string, text: string): Promise<number> {
    const isLong = isLongToCount(text);
    return this.run(isLong, accountId, 'words', { text });
  }

  /** Returns the word count of new content and the delta back to the previous content. */
  async change(accountId: string, before: string, after: string): Promise<ContentChange> {
    const isLong =
      isLongToCount(after) ||
      (after.length > LONG.changed && changedUnits(before, after) > LONG.changed);
    return this.run(isLong, accountId, 'change', { before, after });
  }

  async edited(
    accountId: string,
    text: string,
    edits: readonly TextEdit[],
    maxBytes: number,
  ): Promise<EditOutcome> {
    const isLong =
      text.length * edits.length > LONG.edited ||
      (text.length > LONG.replacedEverywhere && edits.some((edit) => 'all' in edit && edit.all));
    return this.run(isLong, accountId, 'edits', { text, edits, maxBytes });
  }

  /** Runs `diffContents` and returns JSON text. */
  async diff(accountId: string, from: string, to: string, labels: DiffLabels): Promise<string> {
    const isLong = from.length + to.length > LONG.diff;
    return this.run(isLong, accountId, 'diff', { from, to, labels });
  }

  async rebase(
    accountId: string,
    before: string,
    after: string,
    ranges: readonly TextRange[],
  ): Promise<(TextRange | null)[]> {
    const isLong = before !== after && before.length + after.length > LONG.diff;
    return this.run(isLong, accountId, 'rebase', { before, after, ranges });
  }

  /** Returns the changes of a proposal, or the problems of its edits. */
  async proposed(accountId: string, texts: ProposedTexts): Promise<ProposedChanges> {
    const { current } = texts;
    const isLong =
      'content' in texts || texts.base !== current
        ? current.length > LONG.diff / 2
        : current.length * texts.edits.length > LONG.edited || current.length > LONG.beyondAscii;
    return this.run(isLong, accountId, 'proposal', { texts });
  }

  /** Merges texts that two sides changed, by lines and words. */
  async merged(accountId: string, sides: readonly MergeSides[]): Promise<MergedText[]> {
    const units = sides.reduce(
      (sum, { base, yours, theirs }) =>
        base === theirs || yours === theirs
          ? sum
          : sum + base.length + yours.length + theirs.length,
      0,
    );
    return this.run(units > LONG.merged, accountId, 'merge', { sides });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }

  private async run<Kind extends keyof LongTextWork>(
    isLong: boolean,
    accountId: string,
    kind: Kind,
    task: LongTextTask<Kind>,
  ): Promise<Awaited<ReturnType<LongTextWork[Kind]>>> {
    type Result = Awaited<ReturnType<LongTextWork[Kind]>>;
    if (!isLong) return (await LONG_TEXT_WORK[kind](task as never)) as Result;
    try {
      const message: LongTextMessage = { kind, task };
      return (await this.pool.run(accountId, message)) as Result;
    } catch (error) {
      throw unavailableIfBusy(error, BUSY);
    }
  }
}

/** True if counting words is slow. Non-ASCII characters need a lookup, and some scripts need a dictionary. */
function isLongToCount(text: string): boolean {
  if (text.length <= LONG.dictionary || Buffer.byteLength(text) === text.length) return false;
  return text.length > LONG.beyondAscii || needsDictionary(text);
}
