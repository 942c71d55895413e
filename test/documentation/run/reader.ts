import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '@document-service/embedded-postgres/free-port';
import { bundledProgram } from '../../support/compiled-program.js';
import { BashSession, type CommandOutput } from './bash-session.js';
import type { Block, PageBlocks, Shown } from './blocks.js';
import { runProgram, statedValues } from './program-run.js';
import { hasExcerpt, missingLines, printsValue, Substitutions } from './shown-output.js';
import { programOf, type TypescriptPages } from './typescript-pages.js';

/** Work that follows a change: the index of search, analyses, deliveries, events. */
const FOLLOWS_WITHIN_MS = 30_000;

/** Commands that show what arrives until the reader stops them. They run in a second terminal. */
const RUNS_ON = /\bwebhooks listen\b|\bcurl\b[^|;&]* (-N|--no-buffer)\b|\bcurl -\w*N/;
/** Commands that change something, so they are not repeated. */
const WRITES =
  /(^|\s)(-d|--data\S*|--json|-F|--form|-X|--request|-T|--upload-file)\b|npm run|\bcli\b|>/;

/** Makes the email addresses of each reader different. */
let readers = 0;

export interface World {
  origin: string;
  /** Variables of commands of the service. */
  environment: Readonly<Record<string, string>>;
  /** Creates an account with plan `pro`, and returns a key with all scopes. */
  newKey: (email: string) => Promise<string>;
}

/** A reader who follows a page, with a fresh account for each language. */
export class Reader {
  private readonly folder = mkdtempSync(join(tmpdir(), 'reader-'));
  readonly names = new Substitutions();
  private bash: BashSession | undefined;

  private constructor(
    private readonly page: PageBlocks,
    private readonly world: World,
    private readonly receiverPort: number,
    private readonly name: string,
  ) {}

  static async of(page: PageBlocks, world: World): Promise<Reader> {
    readers += 1;
    const name = `${page.file.replaceAll(/\W+/g, '-').toLowerCase()}-${String(readers)}`;
    return new Reader(page, world, await freePort(), name);
  }

  /** Runs the commands of the page in order, and compares what they print. */
  async followCommands(blocks: readonly Block[], key?: string): Promise<void> {
    const own = key ?? (await this.world.newKey(this.email('owner')));
    const printedKey = /ds_live_\w{38}/.exec(blocks.map(({ code }) => code).join('\n'))?.[0];
    if (printedKey) this.names.hear(own, printedKey);
    this.bash = new BashSession(this.folder, this.environment(own));
    for (const block of blocks) {
      try {
        await this.follow(this.bash, block, own);
      } catch (error) {
        throw new Error(`${block.place}: ${(error as Error).message}`, { cause: error });
      }
    }
    await this.expectNoWebhooks(own);
  }

  /** Compiles and runs the page's TypeScript program, and compares the values in its comments. */
  async runTypescript(pages: TypescriptPages): Promise<void> {
    const problems = pages.problemsOf(this.page.file);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    const program = pages.compile(this.page.file, (code) => this.adapted(code));
    await this.runProgram('ts', [process.execPath, program]);
  }

  /** Runs the page's Python program, and compares the values in its comments. */
  async runPython(): Promise<void> {
    const file = join(this.folder, 'page.py');
    writeFileSync(file, this.adapted(programOf(this.page.blocks, 'python')));
    await this.runProgram('python', ['python3', file]);
  }

  async end(): Promise<void> {
    await this.bash?.end();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Returns the page's code with the addresses and people of this run. */
  adapted(code: string): string {
    return code
      .replaceAll(/https?:\/\/localhost:3000|(?<![\w.])localhost:3000/g, (found) =>
        found.startsWith('http') ? this.world.origin : this.world.origin.replace('http://', ''),
      )
      .replaceAll(
        /(localhost:|127\.0\.0\.1:|--port |listen\(|"localhost", )4000\b/g,
        `$1${String(this.receiverPort)}`,
      );
  }

  private async follow(bash: BashSession, block: Block, key: string): Promise<void> {
    const commands = this.commands(block.code, key);
    if (RUNS_ON.test(commands)) {
      const terminal = bash.runAside(commands);
      await terminal.started();
      if (block.shown) await this.expectAside(bash, block);
      return;
    }
    bash.aside?.markRead();
    const until = Date.now() + FOLLOWS_WITHIN_MS;
    for (;;) {
      const output = await bash.run(commands);
      this.names.hear(output.stdout);
      const problem = this.problemWith(block, output);
      if (problem === undefined) {
        this.names.hear(output.stdout, block.shown?.text);
        return;
      }
      if (output.stdout.trim() === '' && block.shown && bash.aside) {
        await this.expectAside(bash, block);
        return;
      }
      const mayFollow = block.shown && !WRITES.test(block.code);
      if (!mayFollow || Date.now() > until) throw new Error(problem);
      await new Promise((end) => setTimeout(end, 100));
    }
  }

  /** Returns what is wrong with the output, in words. */
  private problemWith({ shown }: Block, output: CommandOutput): string | undefined {
    const { stdout, stderr, exitCode, statuses } = output;
    if (!shown) {
      const refused = statuses.find((status) => status >= 400 || status === 0);
      if (refused !== undefined) {
        return `the service answered with status ${String(refused)}, and the page does not show that:\n${stdout}${stderr}`;
      }
      if (exitCode === 0) return undefined;
      return `the commands ended with code ${String(exitCode)}:\n${stderr || stdout}`;
    }
    const text = this.back(stdout.trim() === '' ? stderr : stdout);
    return differenceIn(shown, text, stderr);
  }

  /** Waits until the second terminal shows what the page shows. */
  private async expectAside(bash: BashSession, { shown }: Block): Promise<void> {
    if (!shown) return;
    const until = Date.now() + FOLLOWS_WITHIN_MS;
    for (;;) {
      const output = bash.aside?.unread ?? '';
      const difference = differenceIn(shown, this.back(output), '(in the second terminal)');
      if (difference === undefined) {
        this.names.hear(output, shown.text);
        return;
      }
      if (Date.now() > until) throw new Error(difference);
      await new Promise((end) => setTimeout(end, 50));
    }
  }

  /** Returns the commands as a reader types them, with the ids, keys, ports and programs of this run. */
  private commands(code: string, key: string): string {
    const cli = `'${process.execPath}' '${resolve(bundledProgram('cli'))}'`;
    return this.adapted(this.names.apply(code))
      .replaceAll(/\b(DOCUMENT_SERVICE_KEY=)\S+/g, `$1${key}`)
      .replaceAll(/\b([\w.]+)@example\.com\b/g, (_, user: string) => this.email(user))
      .replaceAll('npm run -s cli --', cli);
  }

  /** Returns output with the page's addresses and people. */
  private back(output: string): string {
    return output
      .replaceAll(this.world.origin, 'http://localhost:3000')
      .replaceAll(this.world.origin.replace('127.0.0.1', 'localhost'), 'http://localhost:3000')
      .replaceAll(`:${String(this.receiverPort)}`, ':4000')
      .replaceAll(`+${this.name}@example.com`, '@example.com');
  }

  private email(user: string): string {
    return `${user}+${this.name}@example.com`;
  }

  private environment(key: string): NodeJS.ProcessEnv {
    return {
      PATH: process.env['PATH'],
      HOME: this.folder,
      LANG: 'C.UTF-8',
      DOCUMENT_SERVICE_URL: this.world.origin,
      DOCUMENT_SERVICE_KEY: key,
      ...this.world.environment,
    };
  }

  private async runProgram(language: 'ts' | 'python', command: readonly string[]): Promise<void> {
    const key = await this.world.newKey(this.email(language));
    const environment = { ...this.environment(key), PYTHONPATH: resolve('sdk-python') };
    const output = this.back(await runProgram(command, { folder: this.folder, environment }));
    const missing = statedValues(this.page.blocks, language)
      .filter(({ value }) => !printsValue(value, output))
      .map(({ line, value }) => `${this.page.file}:${String(line)} states ${value}`);
    if (missing.length > 0) throw new Error(`${missing.join('\n')}\n\nActual:\n${output}`);
    await this.expectNoWebhooks(key);
  }

  /** The receivers of a page end with it. A webhook that stays would fail, and the dashboard would ask for attention. */
  private async expectNoWebhooks(key: string): Promise<void> {
    if (!this.page.blocks.some(({ code }) => code.includes('webhooks'))) return;
    const headers = { Authorization: `Bearer ${key}` };
    const response = await fetch(`${this.world.origin}/v1/webhooks`, { headers });
    const { data } = (await response.json()) as { data?: { url: string }[] };
    const left = (data ?? []).map(({ url }) => url);
    if (response.status !== 200 || left.length > 0) {
      throw new Error(
        `${this.page.file}: the page leaves these webhooks (status ${String(response.status)}): ${left.join(', ')}`,
      );
    }
  }
}

/** Returns how the output differs from what the page shows, in words. */
export function differenceIn({ place, kind, text }: Shown, output: string, more = '') {
  const missing = kind === 'text' ? missingLines(text, output) : [text];
  if (kind === 'text' ? missing.length === 0 : hasExcerpt(text, output)) return undefined;
  return `${place}\nThe page shows:\n${missing.join('\n')}\n\nActual:\n${output}\n${more}`.trimEnd();
}
