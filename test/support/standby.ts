import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { eventually } from './eventually.js';
import { query } from './postgres-owner-process.js';

type Settings = Readonly<Record<string, string>>;

/** A server of {@link ReplicatedPostgres}. */
interface Server {
  /** Connection string of the service's role. */
  url: string;
  /** Connection string of a superuser. */
  adminUrl: string;
}

/**
 * A PostgreSQL primary with standbys, from the embedded programs, in a separate process. `remove()` or the end of the test
 * removes them. Servers are named by the test, for example `a`, `b` and `c`.
 */
export class ReplicatedPostgres {
  private readonly servers = new Map<string, Server>();
  /** Commands run one after the other. */
  private last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly child: ChildProcessByStdio<Writable, Readable, null>,
    private readonly lines: AsyncIterator<string, undefined>,
  ) {}

  /** Starts a primary with an empty database. */
  static async start(primary = 'a'): Promise<ReplicatedPostgres> {
    const child = spawn(process.execPath, ['test/support/replicated-postgres.mjs'], {
      stdio: ['pipe', 'pipe', 'inherit'],
      // A separate process group, so that it outlives the tests on Ctrl-C and can clean up.
      detached: true,
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const postgres = new ReplicatedPostgres(child, lines as AsyncIterator<string, undefined>);
    postgres.servers.set(primary, await postgres.tell<Server>('primary', { name: primary }));
    return postgres;
  }

  /**
   * Adds a standby that streams from `of`, and waits until it does. It is asynchronous until {@link waitFor} names it.
   * `settings` are PostgreSQL's, such as `{ recovery_min_apply_delay: '10s' }`. A server of this name is rebuilt.
   */
  async addStandby(
    name: string,
    { of = 'a', settings = {} }: { of?: string; settings?: Settings } = {},
  ): Promise<void> {
    this.servers.set(name, await this.tell<Server>('standby', { name, of, settings }));
    await this.untilStreaming(of, [name]);
  }

  /** Connection string of the service's role on a server. */
  url(name: string): string {
    return this.server(name).url;
  }

  port(name: string): number {
    return Number(new URL(this.url(name)).port);
  }

  /** Returns the rows of one statement that a superuser runs on a server. */
  query<Row extends object>(name: string, sql: string): Promise<Row[]> {
    return query<Row>(this.server(name).adminUrl, sql);
  }

  /**
   * Commits on `primary` wait for any one of `standbys` from now on, or for none. Waits until all of them stream, unless
   * there are none.
   */
  async waitFor(primary: string, standbys: readonly string[]): Promise<void> {
    const names = standbys.length === 0 ? '' : `ANY 1 (${standbys.join(', ')})`;
    await this.configure(primary, { synchronous_standby_names: names });
    await this.untilStreaming(primary, standbys);
  }

  /** Starts an agent of a server, like Patroni's: `GET /primary` responds with 200 only on the primary. Returns its port. */
  startAgent(name: string): Promise<number> {
    return this.tell<number>('agent', { name });
  }

  /** Changes settings of a running server that need no restart. */
  async configure(name: string, settings: Settings): Promise<void> {
    await this.tell('configure', { name, settings });
  }

  /** Ends the recovery of a standby. Resolves when it is writable. */
  async promote(name: string): Promise<void> {
    await this.tell('promote', { name });
  }

  /** Lets a standby stream from another primary from now on. */
  async follow(name: string, primary: string): Promise<void> {
    await this.tell('follow', { name, primary });
  }

  /** Returns the standby with the most WAL: with `ANY 1`, only one of them surely has every acknowledged commit. */
  async mostAdvanced(standbys: readonly string[]): Promise<string> {
    const positions = await Promise.all(
      standbys.map(async (name) => {
        const [row] = await this.query<{ received: string }>(
          name,
          `SELECT GREATEST(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0'::pg_lsn AS received`,
        );
        return { name, received: BigInt(row?.received ?? 0) };
      }),
    );
    const best = positions.reduce((one, other) => (other.received > one.received ? other : one));
    return best.name;
  }

  /** Suspends all processes of a server: its connections stay open and nothing answers. */
  async pause(name: string): Promise<void> {
    await this.tell('pause', { name });
  }

  async resume(name: string): Promise<void> {
    await this.tell('resume', { name });
  }

  /** Kills all processes of a server. */
  async crash(name: string): Promise<void> {
    await this.tell('crash', { name });
  }

  /** Like `pg_ctl stop -m fast`. */
  async stop(name: string): Promise<void> {
    await this.tell('stop', { name });
  }

  /** Starts a stopped or crashed server again, as what it was. */
  async start(name: string): Promise<void> {
    await this.tell('start', { name });
  }

  /** Kills all servers and removes their files. */
  async remove(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.stdin.end();
    await exited;
  }

  private async untilStreaming(primary: string, standbys: readonly string[]): Promise<void> {
    await eventually(
      () =>
        this.query<{ name: string }>(
          primary,
          `SELECT application_name AS name FROM pg_stat_replication WHERE state = 'streaming'`,
        ),
      (rows) => standbys.every((name) => rows.some((row) => row.name === name)),
    );
  }

  private server(name: string): Server {
    const server = this.servers.get(name);
    if (!server) throw new Error(`There is no server ${name}.`);
    return server;
  }

  private async tell<Result>(command: string, options: object): Promise<Result> {
    const response = this.last.then(async () => {
      this.child.stdin.write(`${JSON.stringify({ command, ...options })}\n`);
      const next = await this.lines.next();
      if (next.done) throw new Error('The process that runs PostgreSQL has ended.');
      return JSON.parse(next.value) as { result: Result } | { failure: string };
    });
    this.last = response.catch(() => undefined);
    const said = await response;
    if ('failure' in said) throw new Error(`${command}: ${said.failure}`);
    return said.result;
  }
}
