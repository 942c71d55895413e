/**
 * Lets work on the same thing happen one after the other within this process. Other processes are not held back: what
 * is written must still be guarded by the database. Work that would meet and be repeated there waits here instead.
 */
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>();

  /** Does `work` after all work on `key` that was asked for before, whether or not that succeeded. */
  async take<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.last.get(key);
    const turn = before === undefined ? work() : before.then(work, work);
    this.last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.last.get(key) === turn) this.last.delete(key);
    }
  }
}
