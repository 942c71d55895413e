import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@document-service/embedded-postgres/free-port';
import { bundledProgram } from '../support/compiled-program.js';
import { eventually } from '../support/eventually.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { comparable, stepsOf, Substitutions, type Step } from './printed-session.js';

const run = promisify(execFile);

/** What a reader does before the first command of the tour, and `.ci/run` does automatically. */
const INSTALLATION = /^npm ci && npm (start|test)$/;
const LISTENER = / webhooks listen /;

/** A reader who follows a document with a new service, in two terminals. */
class Reader {
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'reader-'));
  private readonly substitutions = new Substitutions();
  private exports = '';
  private service!: ServiceProcess;
  private listener: ChildProcess | undefined;
  private heard = '';

  constructor(private readonly receiverPort: number) {}

  /** Starts the service like `npm start`. The document may show its output. */
  async start(printedBanner: string | undefined): Promise<void> {
    const environment = { NODE_ENV: 'development', EMBEDDED_DATABASE: '', DATA_DIR: this.folder };
    this.service = await startService(environment);
    const banner = await eventually(
      () => /The Document Service is running[^]*?\}'/.exec(this.service.output())?.[0] ?? '',
    );
    const here = banner.replaceAll(`:${String(this.service.port)}`, ':3000');
    if (printedBanner !== undefined) this.expectSame('the start', printedBanner, here);
    else this.substitutions.align(this.printedKey(), /ds_live_\w+/.exec(here)?.[0] ?? '');
    await this.bash(here.slice(here.indexOf('curl')));
  }

  private printedKey(): string {
    return 'ds_live_ws9aGL8rg67ubwuVKOZh7lprXlrQ170I0ZZInw';
  }

  async follow({ place, commands, answer }: Step): Promise<void> {
    if (LISTENER.test(commands)) {
      this.listen(commands);
      return;
    }
    let output = await this.bash(commands);
    if (answer === undefined) return;
    if (answer.includes('signature is valid')) {
      const lines = answer.split('\n').length;
      output = await eventually(
        () => this.heard.trimEnd(),
        (heard) => heard.split('\n').length >= lines,
      );
    } else if (commands.includes('?q=')) {
      // The index follows with a delay.
      output = await eventually(
        () => this.bash(commands),
        (found) => found.includes('<mark>'),
      );
    }
    this.expectSame(place, answer, output);
  }

  async end(): Promise<void> {
    this.listener?.kill();
    await this.service.end();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private expectSame(place: string, answer: string, output: string): void {
    const alike = comparable(answer, output);
    const { printed, given } = this.substitutions.align(alike.printed, alike.given);
    expect({ place, text: given }).toEqual({ place, text: printed });
  }

  private listen(commands: string): void {
    this.listener = spawn('bash', ['-c', `exec ${this.here(commands)}`], {
      env: this.environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.listener.stdout?.on('data', (bytes: Buffer) => (this.heard += bytes.toString()));
  }

  private async bash(commands: string): Promise<string> {
    const script = this.here(commands);
    for (const line of script.split('\n'))
      if (line.startsWith('export ')) this.exports += `${line}\n`;
    const { stdout } = await run('bash', ['-c', `${this.exports}\n${script}`], {
      env: this.environment(),
    });
    return stdout.replaceAll(`localhost:${String(this.receiverPort)}`, 'localhost:4000');
  }

  /** Returns the commands as a reader would type them, with real ids, keys and ports instead of the printed ones. */
  private here(commands: string): string {
    return this.substitutions
      .apply(commands)
      .replaceAll('localhost:3000', `127.0.0.1:${String(this.service.port)}`)
      .replaceAll(/(localhost:|--port )4000/g, `$1${String(this.receiverPort)}`)
      .replaceAll('npm run -s cli --', `'${process.execPath}' '${bundledProgram('cli')}'`);
  }

  private environment(): NodeJS.ProcessEnv {
    return { PATH: process.env['PATH'], DATA_DIR: this.folder };
  }
}

describe.each(['README.md', 'docs/tour.md'])('%s', (file) => {
  it("prints commands that work, with the service's actual responses", async () => {
    const steps = stepsOf(file);
    const start = steps.find(({ commands }) => commands.endsWith('npm start'));
    const reader = new Reader(await freePort());
    try {
      await reader.start(start?.answer);
      for (const step of steps) if (!INSTALLATION.test(step.commands)) await reader.follow(step);
    } finally {
      await reader.end();
    }
    expect(steps.length).toBeGreaterThan(5);
  }, 120_000);
});
