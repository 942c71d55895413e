import { Injectable } from '@nestjs/common';
import { Database, type Executor, type TransactionContext } from './database.js';
import { KeyedMutex } from './keyed-mutex.js';

/** Without a lock, as long as nobody else comes in between. */
const FREE_ATTEMPTS = 2;

/**
 * Reads, decides and writes `key` once. Without `executor`, what is written must count only if it still is what was read,
 * and must not wait for a lock; with it, what is read must be locked. `undefined` says that somebody came in between.
 */
export type Attempt<Result> = (executor: Executor | undefined) => Promise<Result | undefined>;

/**
 * Lets nobody's change of a thing be lost, without locks where nobody meets. Writers of this process take turns; those of
 * another one are noticed when writing, and kept out by a lock when they come in between again. Whoever waits for a lock
 * has a transaction of its own, of which there are few, so that one locked thing holds up no others.
 */
@Injectable()
export class WritersInTurn {
  private readonly mutex = new KeyedMutex();

  constructor(private readonly database: Database) {}

  /** Within the transaction of the request, if it has one; then there is no turn to wait for, with a lock in hand. */
  async write<Result>(
    key: string,
    { executor, caller }: TransactionContext,
    attempt: Attempt<Result>,
  ): Promise<Result> {
    if (executor) return locked(attempt, executor);
    const inTurn = async () => {
      for (let attempts = 0; attempts < FREE_ATTEMPTS; attempts += 1) {
        const result = await attempt(undefined);
        if (result !== undefined) return result;
      }
      return this.database.transaction((transaction) => locked(attempt, transaction), caller);
    };
    return this.mutex.run(key, inTurn, caller);
  }
}

async function locked<Result>(attempt: Attempt<Result>, executor: Executor): Promise<Result> {
  const result = await attempt(executor);
  if (result === undefined) throw new Error('What was locked has changed all the same.');
  return result;
}
