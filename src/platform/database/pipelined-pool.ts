import { LRUCache } from 'lru-cache';
import pg, { type ClientBase, type ClientConfig, type QueryConfig } from 'pg';
import { troubleOf } from '../basics/errors/database-error.js';
import { setSocketTimeout, socketOf } from './pools.js';

const CONNECTIONS = 4;
/** The server cancels a statement that takes longer, because the statements behind it wait. */
const STATEMENT_MS = 100;
/** A silent connection is closed after this time. */
const SILENCE_MS = 2_000;
/** How long a statement that was canceled for an account goes to another pool. */
const ELSEWHERE_FOR_MS = 60_000;
/** Interval between two attempts to connect. */
const CONNECT_EVERY_MS = 1_000;

interface PipelinedPoolConfig extends ClientConfig {
  /** Called with each new connection, like the event `connect` of a `pg.Pool`. */
  onConnect?: (client: ClientBase) => unknown;
}

interface PipelinedConnection {
  client: pg.Client;
  isReady: boolean;
  /** The accounts of the statements in flight. */
  accounts: string[];
}

/**
 * Connections for reads that normally take a few ms. Each connection sends statements without waiting for the results of
 * earlier ones, which saves most of the system calls of both sides: without it, lists cost ×1.32 and searches ×1.41 of the
 * processor time. A slow or failed statement rejects, and its caller must run it elsewhere.
 */
export class PipelinedPool {
  private readonly connections = new Set<PipelinedConnection>();
  private connectAt = 0;
  private isClosed = false;
  /** Statements that took too long, with their account. */
  private readonly tooSlow = new LRUCache<string, true>({ max: 10_000, ttl: ELSEWHERE_FOR_MS });

  constructor(private readonly config: PipelinedPoolConfig) {}

  /** Returns undefined if the pool cannot run the statement now. */
  async run<Row extends object>(
    query: QueryConfig & { name: string },
    accountId: string,
  ): Promise<Row[] | undefined> {
    const connection = this.connectionFor(accountId);
    const key = `${accountId} ${query.name}`;
    if (!connection || this.tooSlow.has(key)) return undefined;
    connection.accounts.push(accountId);
    // Statements of one turn of the event loop leave in one write.
    const socket = socketOf(connection.client);
    socket.cork();
    process.nextTick(() => {
      socket.uncork();
    });
    try {
      return (await connection.client.query<Row>(query)).rows;
    } catch (error) {
      if (troubleOf(error) === 'cut') this.tooSlow.set(key, true);
      throw error;
    } finally {
      connection.accounts.splice(connection.accounts.indexOf(accountId), 1);
    }
  }

  /** Number of open connections, and of those without a statement. */
  state(): { total: number; idle: number } {
    const open = [...this.connections].filter(({ isReady }) => isReady);
    return {
      total: open.length,
      idle: open.filter(({ accounts }) => accounts.length === 0).length,
    };
  }

  /** Resolves when the statements in flight have ended. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.allSettled([...this.connections].map(({ client }) => client.end()));
  }

  /** Returns the connection with the fewest statements of the account, whose slow ones would add up, and of all. */
  private connectionFor(accountId: string): PipelinedConnection | undefined {
    this.connectMissing();
    let best: PipelinedConnection | undefined;
    let least = Infinity;
    for (const connection of this.connections) {
      if (!connection.isReady) continue;
      const ofAccount = connection.accounts.filter((one) => one === accountId).length;
      const load = ofAccount * 1_000 + connection.accounts.length;
      if (load < least) [best, least] = [connection, load];
    }
    return best;
  }

  private connectMissing(): void {
    if (
      this.connections.size === CONNECTIONS ||
      this.isClosed ||
      performance.now() < this.connectAt
    )
      return;
    this.connectAt = performance.now() + CONNECT_EVERY_MS;
    while (this.connections.size < CONNECTIONS) this.connect();
  }

  /** Connects in the background. A lost connection is replaced, because a `pg.Client` never connects again. */
  private connect(): void {
    const client = new pg.Client({
      ...this.config,
      pipeline: true,
      statement_timeout: STATEMENT_MS,
    });
    const connection: PipelinedConnection = { client, isReady: false, accounts: [] };
    this.connections.add(connection);
    const replace = () => {
      connection.isReady = false;
      this.connections.delete(connection);
    };
    client.on('error', replace);
    client.on('end', replace);
    const prepare = async () => {
      await client.connect();
      await this.config.onConnect?.(client);
      setSocketTimeout(client, SILENCE_MS);
      connection.isReady = this.connections.has(connection);
    };
    prepare().catch(() => {
      replace();
      void client.end().catch(() => undefined);
    });
  }
}
