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
  /** At most 63 bytes, unique in the service; by convention `<folder>.<verb>`. */
  name: string;
  text: string;
}

/** The object id of the type `json` in every PostgreSQL. */
const JSON_TYPE = 114;

/** JSON columns stay text: they go out as they came in. */
const parserOf = pg.types.getTypeParser as (oid: number, format?: string) => unknown;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: string) =>
    oid === JSON_TYPE ? (text: string) => text : parserOf(oid, format),
};

/**
 * The way to PostgreSQL: TypeORM's repositories, and for hot paths prepared statements through TypeORM's own connection
 * pool (measured at about twice the throughput, see docs/adr/0009-persistence-and-transactions.md), whose JSON columns arrive as their
 * stored text. Whatever runs within {@link transaction} joins that transaction, however deep it is called.
 */
@Injectable()
export class Database implements OnApplicationShutdown {
  /**
   * A transaction holds a connection while its work may ask the pool for another one, such as a shared read. Half of the
   * pool always stays free for those, or transactions could wait for each other without end.
   */
  private readonly transactions: BoundedQueue;
  /** For {@link read}; without a connection until somebody reads. */
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

  /** The repository of an entity; within a transaction, of that transaction. */
  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity> {
    return this.manager.getRepository(entity);
  }

  /** TypeORM's entity manager; within a transaction, of that transaction. */
  get manager(): EntityManager {
    return currentTransaction()?.manager ?? this.dataSource.manager;
  }

  /** Whether the caller runs within a transaction. */
  get isInTransaction(): boolean {
    return currentTransaction() !== undefined;
  }

  /** The rows of one prepared statement. Rejects with the pg error. */
  async run<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return runOn<Row>(currentTransaction()?.client ?? this.pool, statement, values);
  }

  /**
   * The rows of a list, a search or a count, which may be a lot of work: outside of transactions cut after two seconds, on
   * connections of their own, so that such reads hold up nothing else. Rejects with the pg error.
   */
  async read<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return runOn<Row>(currentTransaction()?.client ?? this.readers, statement, values);
  }

  /**
   * Does `work` in one transaction, that of the caller if there is one: all of its statements count, or none when the
   * transaction's outermost work rejects. `work` may be done more than once and must leave nothing behind elsewhere.
   * Rejects with `unavailable`, and has begun nothing, when it had to wait for too long or behind too many, and when
   * `caller` has gone. The transactions of one `accountId` are at most half of all, so that those that wait for a lock
   * hold up no other account.
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

  /** Does `work` all or nothing within the caller's transaction, which can go on when `work` rejects; or in one of its own. */
  async savepoint<Result>(
    work: () => Promise<Result>,
    caller?: Caller,
    accountId?: string,
  ): Promise<Result> {
    return this.isInTransaction ? inSavepoint(work) : this.transaction(work, caller, accountId);
  }

  /** Connections: all, unused, and callers waiting for one. */
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

  /** Transactions that wait until one of those under way ends. */
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
