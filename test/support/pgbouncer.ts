import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@document-service/embedded-postgres/free-port';
import { describeWith } from './describe-with.js';
import { eventually } from './eventually.js';

/** The program to run; `PGBOUNCER` names one that is not in the path. */
const PROGRAM = process.env['PGBOUNCER'] ?? 'pgbouncer';
/** First version with prepared statements in transaction mode. */
const FIRST_VERSION = [1, 21] as const;
/** PgBouncer refuses to run as root. */
const NOBODY = 65_534;

const found = /PgBouncer (\d+)\.(\d+)/.exec(String(spawnSync(PROGRAM, ['--version']).stdout));
const isInstalled = Number(found?.[1]) > FIRST_VERSION[0] || Number(found?.[2]) >= FIRST_VERSION[1];

/** `describe` if PgBouncer 1.21 or later is installed; otherwise one skipped test that says so. */
export function describeWithPgBouncer(title: string, tests: () => void): void {
  describeWith('PgBouncer 1.21 or later', isInstalled, title, tests);
}

/** PgBouncer with deploy/pgbouncer/pgbouncer.ini, on a free port, in front of the server of `databaseUrl`. */
export class PgBouncer {
  private process: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    /** The address of the same database through PgBouncer. */
    readonly url: string,
  ) {}

  /** `settings` replace those of the file. */
  static async start(
    databaseUrl: string,
    settings: Record<string, string> = {},
  ): Promise<PgBouncer> {
    const { hostname, port, username, password } = new URL(databaseUrl);
    const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
    await chmod(folder, 0o755);
    const own = await freePort();
    const url = new URL(databaseUrl);
    url.port = String(own);
    const bouncer = new PgBouncer(folder, url.href);
    const users = join(folder, 'userlist.txt');
    const shipped = await readFile('deploy/pgbouncer/pgbouncer.ini', 'utf8');
    const replaced = Object.entries({
      listen_addr: '127.0.0.1',
      listen_port: String(own),
      auth_file: users,
      ...settings,
    }).reduce(
      (text, [name, value]) =>
        `${text.replace(new RegExp(`^${name} =.*\n`, 'm'), '')}${name} = ${value}\n`,
      shipped.replace(/^document_service = .*$/m, `* = host=${hostname} port=${port}`),
    );
    await writeFile(join(folder, 'pgbouncer.ini'), replaced);
    await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`);
    await bouncer.run();
    return bouncer;
  }

  /** Starts it again: its connections to PostgreSQL are new. */
  async restart(): Promise<void> {
    await this.kill();
    await this.run();
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true });
  }

  private async run(): Promise<void> {
    const { port } = new URL(this.url);
    const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    const started = spawn(PROGRAM, ['-q', join(this.folder, 'pgbouncer.ini')], {
      stdio: ['ignore', 'ignore', 'inherit'],
      ...user,
    });
    this.process = started;
    await eventually(async () => {
      if (started.exitCode !== null) throw new Error('PgBouncer has ended.');
      const socket = connect(Number(port), '127.0.0.1');
      const connected = once(socket, 'connect').then(
        () => true,
        () => false,
      );
      return connected.finally(() => socket.destroy());
    });
  }

  private async kill(): Promise<void> {
    const running = this.process;
    this.process = undefined;
    if (running === undefined) return;
    const exited = once(running, 'exit');
    running.kill('SIGKILL');
    await exited;
  }
}
