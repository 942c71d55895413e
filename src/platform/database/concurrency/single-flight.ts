interface Round<Result> {
  promise: Promise<Result>;
}

/**
 * Shares one read between concurrent callers with the same key. Callers that arrive while a read runs share the next
 * one, so no result is older than its request. A caller waits for at most two reads.
 */
export class SingleFlight<Result> {
  private readonly running = new Map<string, Round<Result>>();
  private readonly next = new Map<string, Round<Result>>();

  /** `key` must include everything the result depends on, first of all the account. */
  read(key: string, read: () => Promise<Result>): Promise<Result> {
    const waiting = this.next.get(key);
    if (waiting) return waiting.promise;
    const current = this.running.get(key);
    if (!current) return this.start(key, read);
    const round = { promise: settled(current.promise).then(() => this.start(key, read)) };
    this.next.set(key, round);
    return round.promise;
  }

  private start(key: string, read: () => Promise<Result>): Promise<Result> {
    this.next.delete(key);
    const round: Round<Result> = { promise: read() };
    this.running.set(key, round);
    void settled(round.promise).then(() => {
      if (this.running.get(key) === round) this.running.delete(key);
    });
    return round.promise;
  }
}

function settled(promise: Promise<unknown>): Promise<void> {
  return promise.then(
    () => undefined,
    () => undefined,
  );
}
