import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../support/eventually.js';

export interface CommandOutput {
  stdout: string;
  stderr: string;
  exitCode: number;
  /** HTTP statuses of the responses that curl got. */
  statuses: number[];
}

const TIME_LIMIT_MS = 60_000;

/** Tells the status of each response to the test, also if the page's command discards the output. */
const CURL = `#!/bin/sh
case " $* " in
  *' -w '*|*' --write-out '*) exec "$REAL_CURL" "$@" ;;
  *) exec "$REAL_CURL" "$@" -w '%{stderr}\\nHTTP status %{http_code}\\n' 2>>"$CURL_LOG" ;;
esac
`;

/** A terminal of a reader: one bash process, so that variables, functions and the folder persist. */
export class BashSession {
  private readonly child: ChildProcess;
  private blocks = 0;
  private others: Terminal[] = [];

  constructor(
    private readonly folder: string,
    private readonly environment: NodeJS.ProcessEnv,
  ) {
    const programs = join(folder, '.programs');
    mkdirSync(programs, { recursive: true });
    writeFileSync(join(programs, 'curl'), CURL);
    chmodSync(join(programs, 'curl'), 0o755);
    const path = environment['PATH'] ?? '';
    this.environment = {
      ...environment,
      PATH: `${programs}:${path}`,
      REAL_CURL: realCurl(path),
      CURL_LOG: join(folder, '.curl'),
    };
    this.child = spawn('bash', ['--noprofile', '--norc'], {
      cwd: folder,
      env: this.environment,
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
  }

  /** Runs commands, and returns their output once they have ended. */
  async run(commands: string): Promise<CommandOutput> {
    this.blocks += 1;
    const file = join(this.folder, `.block-${String(this.blocks)}`);
    writeFileSync(file, commands);
    writeFileSync(join(this.folder, '.curl'), '');
    this.child.stdin?.write(
      `. '${file}' </dev/null >'${file}.out' 2>'${file}.err'; echo $? >'${file}.new'; mv '${file}.new' '${file}.code'\n`,
    );
    const code = await this.codeOf(`${file}.code`);
    const [stdout, stderr, curl] = [`${file}.out`, `${file}.err`, join(this.folder, '.curl')].map(
      (path) => readFileSync(path, 'utf8'),
    ) as [string, string, string];
    const statuses = [...curl.matchAll(/^HTTP status (\d+)$/gm)].map(([, status]) =>
      Number(status),
    );
    const words = curl.replaceAll(/\nHTTP status \d+\n/g, '');
    return { stdout, stderr: stderr + words, exitCode: code, statuses };
  }

  /** Runs a command in another terminal until {@link end}, as one that shows what arrives. */
  runAside(command: string): Terminal {
    const other = new Terminal(command, this.folder, this.environment);
    this.others.push(other);
    return other;
  }

  /** The terminal that was opened last, or `undefined`. */
  get aside(): Terminal | undefined {
    return this.others.at(-1);
  }

  async end(): Promise<void> {
    await Promise.all([endGroup(this.child), ...this.others.map((other) => other.end())]);
  }

  private async codeOf(file: string): Promise<number> {
    const end = Date.now() + TIME_LIMIT_MS;
    for (;;) {
      const code = textOf(file);
      if (code !== undefined) return Number(code);
      if (this.child.exitCode !== null) throw new Error('a command ended the session.');
      if (Date.now() > end) {
        throw new Error(
          `the commands did not end within ${String(TIME_LIMIT_MS / 1_000)} s. Mark the block \`no-run\`, or bound what it waits for.`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

/** A second terminal, in which a command runs until the reader stops it. */
class Terminal {
  private readonly child: ChildProcess;
  private text = '';
  private read = 0;

  constructor(
    private readonly command: string,
    folder: string,
    env: NodeJS.ProcessEnv,
  ) {
    this.child = spawn('bash', ['-c', command], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (bytes: Buffer) => (this.text += bytes.toString()));
    }
  }

  /** Waits for its first output. Throws if the command ends without any. */
  async started(): Promise<void> {
    await eventually(
      () => this.text,
      (text) => text !== '' || this.child.exitCode !== null,
    );
    if (this.child.exitCode !== null) throw new Error(`${this.command} ended: ${this.text}`);
  }

  /** What it has shown since {@link markRead}. */
  get unread(): string {
    return this.text.slice(this.read);
  }

  markRead(): void {
    this.read = this.text.length;
  }

  end(): Promise<void> {
    return endGroup(this.child);
  }
}

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = once(child, 'exit');
  process.kill(-child.pid, 'SIGKILL');
  await exited;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

const realCurl = (path: string): string =>
  path
    .split(':')
    .map((folder) => join(folder, 'curl'))
    .find((file) => textOf(file) !== undefined) ?? 'curl';
