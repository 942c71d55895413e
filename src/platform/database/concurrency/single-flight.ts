interface Round<Result> {
  promise: Promise<Result>;
}

/**
 * Lets callers that ask for the same thing at the same time share one read: while a read of a key runs, callers gather
 * for the next one. Nobody gets the result of a read that began before its own call, so an answer is never older than
 * its request. A caller waits for at most two reads.
 */
export class SingleFlight<Result> {
  private readonly running = new Map<string, Round<Result>>();
  private readonly next = new Map<string, Round<Result>>();

  /** `key` must name everything the result depends on, the account first of all. */
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
