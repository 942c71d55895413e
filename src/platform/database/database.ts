import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import pg, { type Pool, type PoolClient } from 'pg';
import {
  DataSource,
  type EntityManager,
  type EntityTarget,
  type ObjectLiteral,
  type Repository,
} from 'typeorm';
import { unavailable } from '../basics/errors/database-error.js';
import { BoundedQueue, type Caller } from './concurrency/bounded-queue.js';
import { readingPoolOptions } from './pools.js';
import { beginTransaction, currentTransaction, inSavepoint } from './transaction.js';

/** A prepared statement: PostgreSQL parses and plans `text` once per connection under `name`. */
export interface Statement {
  /** At most 63 bytes and unique in the service. Convention: `<folder>.<verb>`. */
  name: string;
  text: string;
}

/** OID of the type `json`, which is the same in all PostgreSQL installations. */
const JSON_TYPE = 114;

/** Leaves JSON columns as text, so that clients get exactly what they sent. */
const parserOf = pg.types.getTypeParser as (oid: number, format?: string) => unknown;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: string) =>
    oid === JSON_TYPE ? (text: string) => text : parserOf(oid, format),
};

/**
 * Access to PostgreSQL: TypeORM's repositories, and prepared statements for hot paths. These run on TypeORM's connection
 * pool, have about twice the throughput (see docs/adr/0009-persistence-and-transactions.md), and return JSON columns as
 * stored text. Everything called within {@link transaction} joins that transaction, at any depth.
 */
@Injectable()
export class Database implements OnApplicationShutdown {
  /**
   * A transaction holds a connection while its work may need another one, such as for a shared read. Half of the pool is
   * reserved for those; otherwise transactions could deadlock.
   */
  private readonly transactions: BoundedQueue;
  /** Pool of {@link read}; it connects on first use. */
  private readonly readers: Pool;

  constructor(private readonly dataSource: DataSource) {
    const concurrency = Math.max(1, Math.floor(this.pool.options.max / 2));
    this.transactions = new BoundedQueue({
      concurrency,
      maxOfOwner: Math.ceil(concurrency / 2),
      refusal: () => unavailable('overloaded'),
    });
    this.readers = new pg.Pool(readingPoolOptions(dataSource.options, this.pool.options.max));
    this.readers.on('error', () => undefined);
  }

  /** Returns the repository of an entity. Within a transaction, it belongs to that transaction. */
  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity> {
    return this.manager.getRepository(entity);
  }

  /** TypeORM's entity manager. Within a transaction, it belongs to that transaction. */
  get manager(): EntityManager {
    return currentTransaction()?.manager ?? this.dataSource.manager;
  }

  /** True if the caller runs within a transaction. */
  get isInTransaction(): boolean {
    return currentTransaction() !== undefined;
  }

  /** Runs a prepared statement and returns its rows. Rejects with the pg error. */
  async run<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return runOn<Row>(currentTransaction()?.client ?? this.pool, statement, values);
  }

  /**
   * Returns the rows of a list, search or count, which can be expensive. Outside a transaction, it uses separate
   * connections with a limit of two seconds, so these reads do not delay other work. Rejects with the pg error.
   */
  async read<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return runOn<Row>(currentTransaction()?.client ?? this.readers, statement, values);
  }

  /**
   * Runs `work` in one transaction: the caller's, or a new one. If the outermost `work` rejects, nothing is stored.
   * `work` can run more than once, so it must not have side effects outside the database. Rejects with `unavailable`
   * before starting if it waited too long, if too many transactions wait, or if `caller` disconnected. One `accountId`
   * can hold at most half of the transactions, so its lock waits do not block other accounts.
   */
  async transaction<Result>(
    work: () => Promise<Result>,
    caller?: Caller,
    accountId?: string,
  ): Promise<Result> {
    if (this.isInTransaction) return work();
    const begin = () => beginTransaction(this.dataSource, work);
    return this.transactions.run(begin, caller, accountId);
  }

  /**
   * Runs `work` in a savepoint of the caller's transaction, or in a new transaction. The caller's transaction can
   * continue if `work` rejects.
   */
  async savepoint<Result>(
    work: () => Promise<Result>,
    caller?: Caller,
    accountId?: string,
  ): Promise<Result> {
    return this.isInTransaction ? inSavepoint(work) : this.transaction(work, caller, accountId);
  }

  /** Returns the numbers of open connections, idle connections and waiting callers. */
  poolState(): { total: number; idle: number; waiting: number } {
    const pools = [this.pool, this.readers];
    const sum = (count: (pool: Pool) => number) =>
      pools.reduce((all, pool) => all + count(pool), 0);
    return {
      total: sum(({ totalCount }) => totalCount),
      idle: sum(({ idleCount }) => idleCount),
      waiting: sum(({ waitingCount }) => waitingCount),
    };
  }

  /** Number of transactions that wait for others to end. */
  get waitingTransactions(): number {
    return this.transactions.length;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.readers.end();
  }

  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }
}

async function runOn<Row extends object>(
  connection: Pool | PoolClient,
  statement: Statement,
  values: unknown[],
): Promise<Row[]> {
  const { rows } = await connection.query<Row>({ ...statement, values, types });
  return rows;
}
