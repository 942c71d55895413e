import { asFailure } from '../../../api/failure.js';

/** Result for one item. */
export interface ItemResult<Item> {
  item: Item;
  /** Why it failed; undefined if it succeeded. */
  problem: string | undefined;
}

interface Steps<Item> {
  items: readonly Item[];
  /** Items per step. */
  size: number;
  /** Runs one step. Returns why each item failed, in order. */
  step: (items: readonly Item[]) => Promise<(string | undefined)[]>;
  /** Called after each step, with all results so far. */
  onProgress?: (results: readonly ItemResult<Item>[]) => void;
  signal: AbortSignal;
  /** Waits this many ms. */
  wait?: (ms: number) => Promise<void>;
}

/** Attempts per step while the service is unavailable or limits requests. */
const ATTEMPTS = 5;
const OUTAGE_WAIT = 2_000;

/**
 * Processes many items in steps. If a step fails, all its items fail and the next steps still run. After `signal`, no
 * further step starts.
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
    onProgress?.([...results]);
  }
  return results;
}

/** Returns the problem of each item, or the one that they share. */
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
      const helps = failure.isUnavailable || failure.status === 429;
      if (!helps || count === ATTEMPTS || signal.aborted) return failure.message;
      await wait((failure.retryAfter ?? 0) * 1_000 || OUTAGE_WAIT);
    }
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
