import { Coalescer, type CoalescerOptions } from '../database/coalescer.js';
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
 * once more by itself: that waits its turn, and what is refused then has no room.
 */
export class LimitedInserts<Creation extends Claiming> {
  private readonly together: Coalescer<Creation, ClaimOutcome>;
  private readonly alone: Coalescer<Creation, ClaimOutcome>;

  constructor(insert: Insert<Creation>, options: CoalescerOptions<Creation>) {
    this.together = new Coalescer((batch) => outcomes(insert(batch, false)), options);
    this.alone = new Coalescer((batch) => outcomes(insert(batch, true)), {
      ...options,
      maxBatch: 1,
      maxInFlight: 2,
    });
  }

  /** Throws `forbidden` when the account has no room for it. */
  async submit(creation: Creation): Promise<void> {
    if ((await this.together.submit(creation)).granted) return;
    const outcome = await this.alone.submit(creation);
    if (!outcome.granted) throw claimRefused(creation.claim, outcome);
  }
}

async function outcomes<Result>(results: Promise<Result[]>): Promise<{ result: Result }[]> {
  return (await results).map((result) => ({ result }));
}
