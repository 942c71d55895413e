import { asFailure } from '../../../api/failure.js';

/** What became of one item. */
export interface ItemResult<Item> {
  item: Item;
  /** Why it was not done; undefined when it was. */
  problem: string | undefined;
}

interface Steps<Item> {
  items: readonly Item[];
  /** Items of a step. */
  size: number;
  /** Does one step; tells of each item, in their order, why it was not done. */
  step: (items: readonly Item[]) => Promise<(string | undefined)[]>;
  /** Called after each step, with all results so far. */
  onProgress: (results: readonly ItemResult<Item>[]) => void;
  signal: AbortSignal;
  /** Waits so many ms. */
  wait?: (ms: number) => Promise<void>;
}

/** Attempts of a step while the service is away or says that it is too much. */
const ATTEMPTS = 5;
const AWAY_WAIT = 2_000;

/**
 * Does something with many items, a step at a time. A step that fails is a result of each of its items; the others are done
 * all the same. After `signal` no further step begins.
 */
export async function runInSteps<Item>({
  items,
  size,
  step,
  onProgress,
  signal,
  wait = sleep,
}: Steps<Item>): Promise<ItemResult<Item>[]> {
  const results: ItemResult<Item>[] = [];
  for (let at = 0; at < items.length && !signal.aborted; at += size) {
    const some = items.slice(at, at + size);
    const problems = await attempt(() => step(some), wait, signal);
    some.forEach((item, index) => {
      results.push({
        item,
        problem: typeof problems === 'string' ? problems : problems[index],
      });
    });
    onProgress([...results]);
  }
  return results;
}

/** The problems of the items, or the one that they all have. */
async function attempt(
  step: () => Promise<(string | undefined)[]>,
  wait: (ms: number) => Promise<void>,
  signal: AbortSignal,
): Promise<(string | undefined)[] | string> {
  for (let count = 1; ; count += 1) {
    try {
      return await step();
    } catch (error) {
      const failure = asFailure(error);
      const helps = failure.isAway || failure.status === 429;
      if (!helps || count === ATTEMPTS || signal.aborted) return failure.message;
      await wait((failure.retryAfter ?? 0) * 1_000 || AWAY_WAIT);
    }
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
