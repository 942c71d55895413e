import { AsyncResource } from 'node:async_hooks';

interface Round<Result> {
  promise: Promise<Result>;
}

/**
 * One read at a time for each key, shared by the callers that ask for it: while a read runs, callers gather for the next
 * one. Nobody gets the result of a read that began before its own call, so an answer is never older than
 * its request. A caller waits for at most two reads.
 */
export class SingleFlight<Result> {
  private readonly running = new Map<string, Round<Result>>();
  private readonly next = new Map<string, Round<Result>>();
  /** A read that several callers share joins no transaction of one of them. */
  private readonly context = new AsyncResource('SingleFlight');

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
    const round: Round<Result> = { promise: this.context.runInAsyncScope(read) };
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
