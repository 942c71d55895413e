import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** An empty database on a separate server, which a test can stop and restart on the same port. */
export class RestartablePostgres {
  private constructor(
    private readonly child: ChildProcessByStdio<Writable, Readable, null>,
    private readonly lines: AsyncIterator<string>,
    readonly url: string,
  ) {}

  /** Creates the server without starting it. */
  static async prepare(): Promise<RestartablePostgres> {
    const child = spawn(process.execPath, ['test/support/restartable-postgres.mjs'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return new RestartablePostgres(child, lines, await nextOf(lines));
  }

  start(): Promise<string> {
    return this.tell('start');
  }

  /** Like `pg_ctl stop -m fast`: cuts every session. */
  stop(): Promise<string> {
    return this.tell('stop');
  }

  /** Stops the server and removes its files. */
  async remove(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.stdin.end();
    await exited;
  }

  private tell(command: 'start' | 'stop'): Promise<string> {
    this.child.stdin.write(`${command}\n`);
    return nextOf(this.lines);
  }
}

async function nextOf(lines: AsyncIterator<string>): Promise<string> {
  const next = (await lines.next()) as IteratorResult<string, undefined>;
  if (next.done) throw new Error('The process that runs PostgreSQL has ended.');
  return next.value;
}
