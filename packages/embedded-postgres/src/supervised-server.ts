import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from './cluster.js';
import { freePort } from './free-port.js';
import {
  endServer,
  launchServer,
  serverArguments,
  stopServer,
  type ServerProcess,
} from './server-process.js';

/** Receives a sentence for the operator (`warn`) or a line of PostgreSQL's log (`debug`). */
export type Log = (level: 'debug' | 'warn', line: string) => void;

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** If a server ran at least this long before it ended, in ms, the failure is not a repeated one. */
const STEADY_MS = 60_000;
/** Temporary failures: another process took the port, or processes of a killed server are still ending. */
const TRANSIENT = /could not bind|could not create any TCP|shared memory block/;
const FIRST_ATTEMPTS = 8;

/** A server that is restarted on the same port whenever it ends unexpectedly. */
export class SupervisedServer {
  private readonly stopping = new AbortController();
  private pauseMs = FIRST_PAUSE_MS;
  private running: ServerProcess | undefined;
  private supervision: Promise<void> | undefined;

  private constructor(
    private readonly cluster: Cluster,
    readonly port: number,
    private readonly durable: boolean,
    private readonly log: Log,
  ) {}

  /** Starts the server on a free port. Rejects with PostgreSQL's reason. */
  static async start(cluster: Cluster, durable: boolean, log: Log): Promise<SupervisedServer> {
    for (let attempt = 1; ; attempt += 1) {
      const supervised = new SupervisedServer(cluster, await freePort(), durable, log);
      try {
        supervised.supervision = supervised.supervise(await supervised.launch());
        return supervised;
      } catch (error) {
        if (attempt === FIRST_ATTEMPTS || !TRANSIENT.test((error as Error).message)) throw error;
        await delay(FIRST_PAUSE_MS * attempt);
      }
    }
  }

  /** Ends the server permanently and closes its connections. Resolves when it has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    const { running } = this;
    if (running) await endServer(running.pid, () => this.running === running);
    else await stopServer(this.cluster);
    await this.supervision;
  }

  private isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async launch(): Promise<ServerProcess> {
    const args = serverArguments(this.port, this.durable);
    this.running = await launchServer(this.cluster, args, (line) => {
      this.log('debug', line);
    });
    return this.running;
  }

  private async supervise(first: ServerProcess): Promise<void> {
    for (let server: ServerProcess | undefined = first; server; server = await this.restart()) {
      // stop() was called before this server existed.
      if (this.isStopping()) await stopServer(this.cluster);
      const since = Date.now();
      const how = await server.ended;
      this.running = undefined;
      if (this.isStopping()) return;
      if (Date.now() - since > STEADY_MS) this.pauseMs = FIRST_PAUSE_MS;
      this.log('warn', `PostgreSQL ended unexpectedly (${how}) and is restarting.`);
    }
  }

  /** Retries with growing pauses until the server runs or is no longer needed. */
  private async restart(): Promise<ServerProcess | undefined> {
    while (!this.isStopping()) {
      const options = { signal: this.stopping.signal, ref: false };
      await delay(this.pauseMs, undefined, options).catch(() => undefined);
      this.pauseMs = Math.min(2 * this.pauseMs, LONGEST_PAUSE_MS);
      try {
        if (!this.isStopping()) return await this.launch();
      } catch (error) {
        this.log('warn', `PostgreSQL did not start (${(error as Error).message}).`);
      }
    }
    return undefined;
  }
}
