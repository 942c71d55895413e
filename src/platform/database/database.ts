import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import pg, { type Pool, type PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { FairLimiter, type Caller } from '../basics/concurrency/fair-limiter.js';
import { AppError } from '../basics/errors/app-error.js';
import { troubleOf, unavailable } from '../basics/errors/database-error.js';
import { Announcements } from './concurrency/announcements.js';
import { PipelinedPool } from './pipelined-pool.js';
import { readingPoolOptions, replicaOptions } from './pools.js';
import { IDENTITY } from './pooler.js';
import { POSITION, Replica } from './replica.js';
import { afterCommit, beginTransaction, currentTransaction, inSavepoint } from './transaction.js';

/** A prepared statement: PostgreSQL parses and plans `text` once per connection under `name`. */
export interface Statement {
  /** At most 63 bytes and unique in the service. Convention: `<folder>.<verb>`. */
  name: string;
  text: string;
  /** True if a read usually takes more than a few ms. */
  isLong?: true;
  /** True if no replica may serve the read. */
  onPrimary?: boolean | undefined;
}

/** Short reads in flight, of all accounts and of one. The reads of others wait behind those of one, so these are few. */
const MAX_SHORT_READS = 32;
const MAX_SHORT_READS_OF_ACCOUNT = 4;

/** OID of the type `json`, which is the same in all PostgreSQL installations. */
const JSON_TYPE = 114;

/** Leaves JSON columns as text, so that clients get exactly what they sent. */
const parserOf = pg.types.getTypeParser as (oid: number, format?: string) => unknown;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: string) =>
    oid === JSON_TYPE ? (text: string) => text : parserOf(oid, format),
};

/**
 * What TypeORM cannot do: transactions that everything called within joins, at any depth, injected repositories included;
 * prepared statements on TypeORM's connection pool, which have about twice the throughput of repositories (see
 * docs/adr/0009-persistence-and-transactions.md) and return JSON columns as stored text; and limits that keep accounts
 * from waiting for each other.
 */
@Injectable()
export class Database implements OnApplicationShutdown {
  /**
   * A transaction holds a connection while its work may need another one, such as for a shared read. Half of the pool is
   * reserved for those; otherwise transactions could deadlock.
   */
  private readonly transactions: FairLimiter;
  /**
   * Connections of {@link read}, which connect on first use: pipelined ones for short reads, and a pool for the others.
   * Without connections of their own, lists cost ×1.64 and searches ×1.22 of the processor time.
   */
  private readonly pipelined: PipelinedPool;
  private readonly readers: Pool;
  private readonly shortReads = limiter(MAX_SHORT_READS, MAX_SHORT_READS_OF_ACCOUNT, 5_000);
  private readonly longReads: FairLimiter;
  private readonly announcements = new Announcements<Statement>((statement, keys) =>
    runOn(this.pool, statement, [keys]),
  );
  private readonly replica: Replica | undefined;
  /** Number of reads that a replica has answered. */
  replicaReads = 0;

  constructor(private readonly dataSource: DataSource) {
    const transactions = Math.max(1, Math.floor(this.pool.options.max / 2));
    this.transactions = limiter(transactions, Math.ceil(transactions / 2), 1_000);
    const options = readingPoolOptions(dataSource.options, this.pool.options.max);
    this.pipelined = new PipelinedPool(options);
    this.readers = new pg.Pool(options);
    this.readers.on('error', () => undefined);
    const readers = this.readers.options.max;
    this.longReads = limiter(readers, Math.ceil(readers / 2), 5_000);
    const replica = replicaOptions(dataSource.options, this.pool.options.max);
    const readIdentity = async () =>
      (await this.run<{ identity: string }>(IDENTITY, []))[0]?.identity;
    this.replica = replica && new Replica(replica, readIdentity);
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
   * Like {@link run}, for the look-up of a request's key or session. Later lists of this process contain everything that
   * was committed before it.
   */
  async lookUp<Row extends object>({ name, text }: Statement, values: unknown[]): Promise<Row[]> {
    if (!this.replica) return this.run<Row>({ name, text }, values);
    const statement = {
      name: `${name}-position`,
      text: text.replace('SELECT', `SELECT ${POSITION},`),
    };
    const rows = await this.run<Row>(statement, values);
    this.replica.require(rows[0] ?? {});
    return rows;
  }

  /**
   * Returns the rows of a list, search or count, which can be expensive. Outside a transaction, it uses separate
   * connections with a limit of two seconds, so these reads do not delay other work. Accounts take turns. A named
   * statement of an account runs on the {@link PipelinedPool}, and only if it takes too long there in a pool. Rejects with the pg
   * error, or with `unavailable` if it waited too long. With a replica, reads of an account run there, once it has
   * everything that {@link lookUp} requires.
   */
  async read<Row extends object>(
    statement: Statement,
    values: unknown[],
    accountId?: string,
  ): Promise<Row[]> {
    const transaction = currentTransaction();
    if (transaction) return runOn<Row>(transaction.client, statement, values);
    const replica = accountId === undefined || statement.onPrimary ? undefined : this.replica;
    if (replica && (await replica.isCurrent())) {
      try {
        const rows = await this.readOn<Row>(replica, statement, values, accountId);
        this.replicaReads += 1;
        return rows;
      } catch (error) {
        if (error instanceof AppError) throw error;
        if (troubleOf(error) !== 'cut') replica.leaveOut();
      }
    }
    return this.readOn<Row>(
      { pipelined: this.pipelined, pool: this.readers },
      statement,
      values,
      accountId,
    );
  }

  private async readOn<Row extends object>(
    on: Pick<Replica, 'pipelined' | 'pool'>,
    statement: Statement,
    values: unknown[],
    accountId: string | undefined,
  ): Promise<Row[]> {
    if (accountId !== undefined && statement.name !== '' && !statement.isLong) {
      // Undefined if the pipelined pool does not take the statement, or the statement failed there.
      const rows = await this.shortReads.run({ owner: accountId }, () =>
        on.pipelined
          .run<Row>({ ...statement, values, types }, accountId)
          .catch((error: unknown) => {
            if (on === this.replica && troubleOf(error) !== 'cut') throw error;
            return undefined;
          }),
      );
      if (rows) return rows;
    }
    return this.longReads.run({ owner: accountId }, () => runOn<Row>(on.pool, statement, values));
  }

  /**
   * Runs a statement that notifies other processes, soon after the caller's outermost transaction commits. Its one parameter
   * is an array of different keys, of this and other callers. Does nothing if the caller's work is rolled back.
   * Notifications can be lost, so receivers must also poll.
   */
  announce(statement: Statement, keys: readonly string[]): void {
    afterCommit(() => {
      this.announcements.add(statement, keys);
    });
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
    return this.transactions.run({ owner: accountId, caller }, begin);
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
    const pipelined = this.pipelined.state();
    const sum = (count: (pool: Pool) => number) =>
      pools.reduce((all, pool) => all + count(pool), 0);
    return {
      total: pipelined.total + sum(({ totalCount }) => totalCount),
      idle: pipelined.idle + sum(({ idleCount }) => idleCount),
      waiting:
        this.shortReads.waitingCount +
        this.longReads.waitingCount +
        sum(({ waitingCount }) => waitingCount),
    };
  }

  /** Number of transactions that wait for others to end. */
  get waitingTransactions(): number {
    return this.transactions.waitingCount;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.pipelined.close(), this.readers.end(), this.replica?.close()]);
  }

  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }
}

function limiter(concurrency: number, maxRunningOfOwner: number, maxWaiting: number): FairLimiter {
  const limits = { concurrency, maxRunningOfOwner, maxWaiting, waitLimitMs: 5_000 };
  return new FairLimiter(limits, () => unavailable('overloaded'));
}

async function runOn<Row extends object>(
  connection: Pool | PoolClient,
  statement: Statement,
  values: unknown[],
): Promise<Row[]> {
  const { rows } = await connection.query<Row>({ ...statement, values, types });
  return rows;
}
