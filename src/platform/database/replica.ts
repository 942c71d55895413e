import pg, { type Pool, type PoolConfig } from 'pg';
import { setTimeout as wait } from 'node:timers/promises';
import { runningTime, within } from '../basics/clock/time-limit.js';
import { PipelinedPool } from './pipelined-pool.js';

/** How long a read waits for the replica, in ms. After that, the primary responds. */
const WAIT_MS = 25;
/** Minimum interval between two questions for the position of the replica, in ms. */
const ASK_EVERY_MS = 1;
/** How long a replica that failed is not used, in ms. */
const OUT_FOR_MS = 3_000;
/** How long a response is trusted, in ms. A standby that restarts can begin before the position that it had reached. */
const TRUSTED_MS = 1_000;

/** A position in the WAL, in bytes. Positions of different timelines cannot be compared. */
interface Position {
  /** Eight hexadecimal digits. Each promotion of a server begins a new timeline. */
  timeline: string;
  position: number;
}

/** The columns of a {@link Position} on the primary: everything committed is at or before it. Null on a standby. */
export const POSITION = `
  CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) END AS timeline,
  CASE WHEN NOT pg_is_in_recovery() THEN (pg_current_wal_flush_lsn() - '0/0')::float8 END AS position`;

/**
 * A standby writes its timeline to its control file some time after a promotion of its primary. Only a role with
 * pg_read_all_stats sees it earlier.
 */
const ASK = {
  name: 'replica.ask',
  text: `SELECT CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::float8 END AS position,
                lpad(upper(to_hex(greatest(timeline_id, min_recovery_end_timeline,
                  (SELECT received_tli FROM pg_stat_wal_receiver)))), 8, '0') AS timeline,
                concat(system_identifier, '/', current_database()) AS identity
           FROM pg_control_checkpoint(), pg_control_recovery(), pg_control_system()`,
};

/**
 * A replica for lists, searches and counts. It is used only once it has replayed what the primary had committed when the
 * request's key or session was looked up. So a client that has changed something finds the change in every list, whichever
 * process responds.
 */
export class Replica {
  readonly pipelined: PipelinedPool;
  readonly pool: Pool;
  /** Its one connection is never busy with reads. */
  private readonly asking: Pool;
  /** The latest position that a look-up of this process has returned. */
  private required: Position | undefined;
  /** The last response of the replica, with the time of the query. */
  private replayed: (Position & { askedAt: number }) | undefined;
  private askedAt = -Infinity;
  private pending: Promise<void> | undefined;
  private outUntil = 0;
  private identity: string | undefined;

  /** `readIdentity` returns the identity of the primary's database. */
  constructor(
    options: PoolConfig,
    private readonly readIdentity: () => Promise<string | undefined>,
  ) {
    this.pipelined = new PipelinedPool(options);
    this.pool = new pg.Pool(options);
    this.asking = new pg.Pool({ ...options, max: 1, idleTimeoutMillis: 0 });
    this.pool.on('error', () => undefined);
    this.asking.on('error', () => undefined);
    // The server may have restarted, or be another one.
    this.asking.on('remove', () => (this.replayed = undefined));
  }

  /** Reads from now on need this position, which a look-up on the primary has returned. */
  require({ timeline, position }: Partial<Position>): void {
    if (timeline == null || position == null) return;
    const { timeline: known = '', position: latest = 0 } = this.required ?? {};
    if (timeline > known || (timeline === known && position > latest))
      this.required = { timeline, position };
  }

  /** Returns false if the primary must respond. */
  async isCurrent(): Promise<boolean> {
    const { required } = this;
    if (!required) return false;
    const deadline = runningTime() + WAIT_MS;
    while (!this.hasReached(required)) {
      const now = runningTime();
      if (now < this.outUntil || now >= deadline) return false;
      this.pending ??= this.ask().finally(() => (this.pending = undefined));
      await this.pending;
    }
    return runningTime() >= this.outUntil;
  }

  /** The replica is not used for some time. */
  leaveOut(): void {
    this.outUntil = runningTime() + OUT_FOR_MS;
    this.replayed = undefined;
  }

  async close(): Promise<void> {
    await Promise.all([this.pipelined.close(), this.pool.end(), this.asking.end()]);
  }

  private hasReached({ timeline, position }: Position): boolean {
    const { replayed } = this;
    if (!replayed || performance.now() - replayed.askedAt > TRUSTED_MS) return false;
    return replayed.timeline === timeline && replayed.position >= position;
  }

  private async ask(): Promise<void> {
    const pause = this.askedAt + ASK_EVERY_MS - performance.now();
    if (pause > 0) await wait(pause);
    const askedAt = (this.askedAt = performance.now());
    const late = () => new Error('The replica did not respond in time.');
    try {
      this.replayed = { ...(await within(WAIT_MS, this.readPosition(), late)), askedAt };
    } catch {
      this.leaveOut();
    }
  }

  /** Rejects if the server is not a replica of this database. */
  private async readPosition(): Promise<Position> {
    this.identity ??= await this.readIdentity();
    const { rows } = await this.asking.query<Position & { identity: string }>(ASK);
    const [row] = rows;
    if (row?.identity !== this.identity || row?.position == null)
      throw new Error('This is no replica.');
    return row;
  }
}
