import { Coalescer, type CoalescerOptions } from '../database/coalescer.js';
import type { Caller } from '../database/bounded-queue.js';
import { KeyedMutex } from '../database/keyed-mutex.js';
import { AppError } from '../errors/app-error.js';
import { claimRefused, type ClaimOutcome, type DocumentClaim } from '../usage/document-claim.js';

/** Something to insert that needs room under its account's plan. */
interface Claiming {
  claim: DocumentClaim;
}

/** Inserts what has room, and answers how each claim ended. Waits for the locks of its accounts, if it may. */
type Insert<Creation> = (batch: Creation[], mayWait: boolean) => Promise<ClaimOutcome[]>;

/**
 * Inserts under a limit. What arrives together shares a statement, which waits for no account's lock and grants an
 * account all of its creations or none, so that busy or full accounts hold up nobody. What it does not grant is tried
 * once more by itself: that waits for the lock, one of an account at a time, and what is refused then has no room.
 */
export class LimitedInserts<Creation extends Claiming> {
  private readonly together: Coalescer<Creation, ClaimOutcome>;
  private readonly mutex = new KeyedMutex(accountIsBusy);

  constructor(
    private readonly insert: Insert<Creation>,
    options: CoalescerOptions<Creation>,
  ) {
    this.together = new Coalescer(async (batch) => {
      const outcomes = await insert(batch, false);
      return outcomes.map((result) => ({ result }));
    }, options);
  }

  /** Throws `forbidden` when the account has no room for it, and `unavailable` when its turn does not come for long. */
  async submit(creation: Creation, caller?: Caller): Promise<void> {
    if ((await this.together.submit(creation)).granted) return;
    const { claim } = creation;
    const alone = () => this.insert([creation], true);
    const [outcome] = await this.mutex.run(claim.accountId, alone, caller);
    if (!outcome?.granted) throw claimRefused(claim, outcome);
  }
}

function accountIsBusy(): AppError {
  return new AppError(
    'unavailable',
    'Another change of this account, such as an import, takes long. Try again shortly; nothing was created.',
    undefined,
    { retryAfterSeconds: 5 },
  );
}
