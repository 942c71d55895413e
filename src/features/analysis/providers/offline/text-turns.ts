import type { Turn } from '../../../../platform/basics/concurrency/fair-limiter.js';

/** Makes the rank of an earlier text lower than an equal one. */
const LATER = 1e-6;

/** An account with unfinished texts. */
interface BusyAccount {
  unfinished: number;
  /** UTF-16 units of the texts since it last had none, by the binary logarithm of their length. */
  units: number[];
}

/**
 * Decides which text goes on first. Texts of all accounts are worked on in pieces, in the order of their ranks: the length
 * of the text and of the texts that its account has sent since it last had none, without longer ones. So a sentence does
 * not wait for long texts, nor a text for all texts of an account that sends many. In
 * some turns the text that came first goes on, whatever its rank.
 */
export class TextTurns {
  private readonly accounts = new Map<string, BusyAccount>();
  private count = 0;

  /** Runs `work` with the turn of a text. `length` is in UTF-16 units. */
  async run<Result>(
    accountId: string,
    length: number,
    work: (turn: Turn) => Promise<Result>,
  ): Promise<Result> {
    const account = this.accounts.get(accountId) ?? { unfinished: 0, units: [] };
    this.accounts.set(accountId, account);
    const size = Math.ceil(Math.log2(length + 1));
    account.units[size] = (account.units[size] ?? 0) + length;
    account.unfinished += 1;
    this.count += 1;
    const number = this.count;
    try {
      const units = account.units.slice(0, size + 1).reduce((sum, one) => sum + one, 0);
      return await work({ rank: units + number * LATER, number });
    } finally {
      account.unfinished -= 1;
      if (account.unfinished === 0) this.accounts.delete(accountId);
    }
  }
}
