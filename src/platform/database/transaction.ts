import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { wasDeadlocked } from '../basics/errors/database-error.js';

/** Maximum attempts. PostgreSQL aborts one of two deadlocked transactions, which then succeeds when it runs again. */
const MAX_ATTEMPTS = 4;
/** Lets the other transaction get its locks. An immediate retry could deadlock again. */
const RETRY_BACKOFF_MS = 20;

/** The state that statements of a transaction share. */
interface Scope {
  queryRunner: QueryRunner;
  client: PoolClient;
  hasEnded: boolean;
  /** What to do when it has committed. */
  onCommit: (() => void)[];
}

const scopes = new AsyncLocalStorage<Scope>();

/**
 * Returns the caller's transaction, if any. Throws if it has ended: work that was not awaited would use a connection that
 * now belongs to another caller.
 */
export function currentTransaction(): { manager: EntityManager; client: PoolClient } | undefined {
  const scope = scopes.getStore();
  if (!scope) return undefined;
  if (scope.hasEnded) throw new Error('A statement was sent after its transaction ended.');
  return { manager: scope.queryRunner.manager, client: scope.client };
}

/**
 * Calls `action` after the caller's outermost transaction commits, or at once if there is none. Never calls it if the
 * transaction, or a savepoint around the caller, is rolled back. `action` must not throw.
 */
export function afterCommit(action: () => void): void {
  const scope = scopes.getStore();
  if (scope && !scope.hasEnded) scope.onCommit.push(action);
  else action();
}

/**
 * Runs `work` between BEGIN and COMMIT on its own connection, which everything called within joins. If `work` rejects,
 * nothing is stored. Runs it again if PostgreSQL aborted it to resolve a deadlock.
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
      await wait(RETRY_BACKOFF_MS * attempt * (1 + Math.random()));
    }
  }
}

async function attemptTransaction<Result>(
  dataSource: DataSource,
  work: () => Promise<Result>,
): Promise<Result> {
  const queryRunner = dataSource.createQueryRunner();
  const client = (await queryRunner.connect()) as PoolClient;
  const scope: Scope = { queryRunner, client, hasEnded: false, onCommit: [] };
  try {
    await queryRunner.startTransaction();
    const result = await scopes.run(scope, work);
    scope.hasEnded = true;
    const { command } = await client.query('COMMIT');
    // PostgreSQL answers COMMIT with ROLLBACK if a statement of the transaction failed.
    if (command !== 'COMMIT') throw new Error('A failed statement was ignored in a transaction.');
    for (const action of scope.onCommit) action();
    return result;
  } catch (error) {
    scope.hasEnded = true;
    // If even ROLLBACK fails, close the connection: PostgreSQL then rolls back.
    await client.query('ROLLBACK').catch(() => client.end());
    throw error;
  } finally {
    await queryRunner.release();
  }
}

/** Runs `work` in the current transaction. If it rejects, its writes are undone and the transaction can continue. */
export async function inSavepoint<Result>(work: () => Promise<Result>): Promise<Result> {
  const scope = scopes.getStore();
  if (!scope) throw new Error('A savepoint needs a transaction.');
  const { queryRunner, onCommit } = scope;
  const { length } = onCommit;
  await queryRunner.startTransaction();
  try {
    const result = await work();
    await queryRunner.commitTransaction();
    return result;
  } catch (error) {
    onCommit.length = length;
    // This also fails on a lost connection; report the first error.
    await queryRunner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}
