/**
 * Shares one read between concurrent callers with the same key. Callers that arrive while a read runs share the next
 * one, so no result is older than its request. A caller waits for at most two reads.
 */
export class SingleFlight<Result> {
  private readonly running = new Map<string, Promise<Result>>();
  private readonly next = new Map<string, Promise<Result>>();

  /** `key` must include everything that the result depends on, especially the account. */
  read(key: string, read: () => Promise<Result>): Promise<Result> {
    const waiting = this.next.get(key);
    if (waiting) return waiting;
    const current = this.running.get(key);
    if (!current) return this.start(key, read);
    const next = settled(current).then(() => this.start(key, read));
    this.next.set(key, next);
    return next;
  }

  private start(key: string, read: () => Promise<Result>): Promise<Result> {
    this.next.delete(key);
    const started = read();
    this.running.set(key, started);
    void settled(started).then(() => {
      if (this.running.get(key) === started) this.running.delete(key);
    });
    return started;
  }
}

function settled(promise: Promise<unknown>): Promise<void> {
  return promise.then(
    () => undefined,
    () => undefined,
  );
}
