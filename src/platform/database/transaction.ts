import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { wasDeadlocked } from '../basics/errors/database-error.js';

/** Two transactions that wait for each other: one is ended by PostgreSQL, and goes through when it is done again. */
const MAX_ATTEMPTS = 4;
/** Milliseconds in which the other one gets what it waited for; done again at once, the two would meet again. */
const OTHERS_FIRST = 20;

/** What statements that join a transaction need of it. */
interface Scope {
  queryRunner: QueryRunner;
  client: PoolClient;
  hasEnded: boolean;
}

const scopes = new AsyncLocalStorage<Scope>();

/**
 * The transaction that the caller runs in, if it runs in one. Throws when that has ended: work that was not awaited
 * within it would run on a connection that serves somebody else by now.
 */
export function currentTransaction(): { manager: EntityManager; client: PoolClient } | undefined {
  const scope = scopes.getStore();
  if (!scope) return undefined;
  if (scope.hasEnded) throw new Error('A statement was sent after its transaction had ended.');
  return { manager: scope.queryRunner.manager, client: scope.client };
}

/**
 * Does `work` between BEGIN and COMMIT on a connection of its own, which all that `work` calls joins: all of it counts,
 * or nothing when `work` rejects. Work that PostgreSQL ended to resolve a deadlock is done again from the beginning.
 */
export async function beginTransaction<Result>(
  dataSource: DataSource,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptTransaction(dataSource, work);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !wasDeadlocked(error)) throw error;
      await wait(OTHERS_FIRST * attempt * (1 + Math.random()));
    }
  }
}

async function attemptTransaction<Result>(
  dataSource: DataSource,
  work: () => Promise<Result>,
): Promise<Result> {
  const queryRunner = dataSource.createQueryRunner();
  const client = (await queryRunner.connect()) as PoolClient;
  const scope: Scope = { queryRunner, client, hasEnded: false };
  try {
    await queryRunner.startTransaction();
    const result = await scopes.run(scope, work);
    scope.hasEnded = true;
    const { command } = await client.query('COMMIT');
    // PostgreSQL answers so to the COMMIT of a transaction in which a statement failed.
    if (command !== 'COMMIT') throw new Error('A failed statement was ignored in a transaction.');
    return result;
  } catch (error) {
    scope.hasEnded = true;
    // A connection that cannot even roll back is not put back; PostgreSQL rolls back when it closes.
    await client.query('ROLLBACK').catch(() => client.end());
    throw error;
  } finally {
    await queryRunner.release();
  }
}

/** Does `work` in the current transaction so that, when it rejects, what it wrote is undone and the rest can go on. */
export async function inSavepoint<Result>(work: () => Promise<Result>): Promise<Result> {
  const queryRunner = scopes.getStore()?.queryRunner;
  if (!queryRunner) throw new Error('A savepoint needs a transaction.');
  await queryRunner.startTransaction();
  try {
    const result = await work();
    await queryRunner.commitTransaction();
    return result;
  } catch (error) {
    // On a connection that is lost it fails too; what went wrong first is what is told.
    await queryRunner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}
