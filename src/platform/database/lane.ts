import { LRUCache } from 'lru-cache';
import pg, { type ClientBase, type ClientConfig, type QueryConfig } from 'pg';
import { troubleOf } from '../basics/errors/database-error.js';
import { setSocketTimeout, socketOf } from './pools.js';

/** Number of connections. */
const TRACKS = 4;
/** The server cancels a statement that takes longer, because the statements behind it wait. */
const STATEMENT_MS = 100;
/** A silent connection is closed after this time. */
const SILENCE_MS = 2_000;
/** How long a statement that was canceled for an account stays out of the lane. */
const OUT_FOR_MS = 60_000;
/** Interval between two attempts to connect. */
const CONNECT_EVERY_MS = 1_000;

interface LaneConfig extends ClientConfig {
  /** As of a pool. */
  onConnect?: (client: ClientBase) => unknown;
}

/** One pipelined connection. */
interface Track {
  client: pg.Client;
  isReady: boolean;
  /** The accounts of the statements that were sent and not answered. */
  accounts: string[];
}

/**
 * Connections for reads that normally take a few ms. Each connection sends statements without waiting for the answers to
 * earlier ones, which saves most of the system calls of both sides. A slow or failed statement rejects, and its caller
 * must run it elsewhere.
 */
export class Lane {
  private readonly tracks = new Set<Track>();
  private connectAt = 0;
  private isClosed = false;
  /** Statements that took too long, with their account. */
  private readonly tooSlow = new LRUCache<string, true>({ max: 10_000, ttl: OUT_FOR_MS });

  constructor(private readonly config: LaneConfig) {}

  /** Returns undefined if the lane cannot run the statement now. */
  async run<Row extends object>(
    query: QueryConfig & { name: string },
    accountId: string,
  ): Promise<Row[] | undefined> {
    const track = this.trackFor(accountId);
    const key = `${accountId} ${query.name}`;
    if (!track || this.tooSlow.has(key)) return undefined;
    track.accounts.push(accountId);
    // Statements of one turn of the event loop leave in one write.
    const socket = socketOf(track.client);
    socket.cork();
    process.nextTick(() => {
      socket.uncork();
    });
    try {
      return (await track.client.query<Row>(query)).rows;
    } catch (error) {
      if (troubleOf(error) === 'cut') this.tooSlow.set(key, true);
      throw error;
    } finally {
      track.accounts.splice(track.accounts.indexOf(accountId), 1);
    }
  }

  /** Number of open connections, and of those without a statement. */
  state(): { total: number; idle: number } {
    const open = [...this.tracks].filter(({ isReady }) => isReady);
    return {
      total: open.length,
      idle: open.filter(({ accounts }) => accounts.length === 0).length,
    };
  }

  /** Resolves when the statements under way are answered. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.allSettled([...this.tracks].map(({ client }) => client.end()));
  }

  /** Returns the connection with the fewest statements of the account, whose slow ones would add up, and of all. */
  private trackFor(accountId: string): Track | undefined {
    this.connectMissing();
    let best: Track | undefined;
    let least = Infinity;
    for (const track of this.tracks) {
      if (!track.isReady) continue;
      const ofAccount = track.accounts.filter((one) => one === accountId).length;
      const load = ofAccount * 1_000 + track.accounts.length;
      if (load < least) [best, least] = [track, load];
    }
    return best;
  }

  private connectMissing(): void {
    if (this.tracks.size === TRACKS || this.isClosed || performance.now() < this.connectAt) return;
    this.connectAt = performance.now() + CONNECT_EVERY_MS;
    while (this.tracks.size < TRACKS) this.connect();
  }

  /** Connects in the background. A lost connection is replaced, because a `pg.Client` never connects again. */
  private connect(): void {
    const client = new pg.Client({
      ...this.config,
      pipeline: true,
      statement_timeout: STATEMENT_MS,
    });
    const track: Track = { client, isReady: false, accounts: [] };
    this.tracks.add(track);
    const replace = () => {
      track.isReady = false;
      this.tracks.delete(track);
    };
    client.on('error', replace);
    client.on('end', replace);
    const prepare = async () => {
      await client.connect();
      await this.config.onConnect?.(client);
      setSocketTimeout(client, SILENCE_MS);
      track.isReady = this.tracks.has(track);
    };
    prepare().catch(() => {
      replace();
      void client.end().catch(() => undefined);
    });
  }
}
