import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { freePort } from '@document-service/embedded-postgres/free-port';

/** Runs a program of the image, such as `['node', 'dist/main.js']`, with these variables and piped output. */
export type RunInImage = (command: string[], environment: Record<string, string>) => ChildProcess;

const READY_WITHIN_MS = 120_000;

interface Proof {
  run: RunInImage;
  /** The words of CMD. */
  command: string[];
  /** An empty PostgreSQL database. */
  databaseUrl: string;
  report: (line: string) => void;
  /** Sends SIGTERM to the program. By default, to the process that `run` returned. */
  terminate?: (child: ChildProcess) => void;
}

/**
 * Starts an image as api and as worker on an empty database, creates a document, and waits until the worker has indexed
 * it. Throws with the output of the failed process.
 */
export async function proveRoles({
  run,
  command,
  databaseUrl,
  report,
  terminate = (child) => child.kill('SIGTERM'),
}: Proof): Promise<void> {
  const shared = {
    DATABASE_URL: databaseUrl,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
  const running: Service[] = [];
  let codes: (number | string)[];
  try {
    for (const PROCESS_ROLE of ['api', 'worker']) {
      const port = await freePort();
      const environment = { ...shared, PROCESS_ROLE, PORT: String(port), HOST: '127.0.0.1' };
      const service = new Service(run(command, environment), port);
      running.push(service);
      await service.ready();
      report(`${PROCESS_ROLE}: ready`);
    }
    const [api] = running;
    if (!api) throw new Error('Nothing runs.');
    const key = await createKey(run, shared);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const created = await fetch(`${api.origin}/v1/documents`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ title: 'From the image', content: 'An uncommon word: zymurgy.' }),
    });
    const body = await created.text();
    if (created.status !== 201) throw new Error(`The create was answered ${body}`);
    report(`create: ${String(created.status)} ${body.slice(0, 120)}`);
    for (const path of ['/dashboard/', '/docs', '/docs/try']) {
      const page = await fetch(api.origin + path);
      if (!page.ok) throw new Error(`${path} answers ${String(page.status)}.`);
    }
    await until('the worker to index the document', async () => {
      const found = await fetch(`${api.origin}/v1/documents?q=zymurgy`, { headers });
      const { data } = (await found.json()) as { data?: unknown[] };
      return data?.length === 1;
    });
    report('search: the worker has indexed the document');
  } finally {
    codes = await Promise.all(running.map((service) => service.stop(terminate)));
  }
  if (codes.some((code) => code !== 0)) throw new Error(`SIGTERM: exit codes ${codes.join(', ')}`);
  report('SIGTERM: both ended with 0');
}

async function createKey(run: RunInImage, environment: Record<string, string>): Promise<string> {
  const words = ['keys', 'create', '--email', 'ada@example.com', '--json'];
  const child = run(['node', 'dist/cli.js', ...words], environment);
  if (!child.stdout || !child.stderr) throw new Error('The output is not piped.');
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  try {
    return (JSON.parse(output) as { key: string }).key;
  } catch {
    throw new Error(`keys create failed: ${output}${errors}`);
  }
}

class Service {
  readonly origin: string;
  private output = '';

  constructor(
    private readonly child: ChildProcess,
    port: number,
  ) {
    this.origin = `http://127.0.0.1:${String(port)}`;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    }
  }

  async ready(): Promise<void> {
    await until(`${this.origin} to be ready`, async () => {
      if (this.child.exitCode !== null) throw new Error(`The process ended: ${this.output}`);
      const answer = await fetch(`${this.origin}/health/ready`).catch(() => undefined);
      return answer?.ok ?? false;
    }).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${this.output}`);
    });
  }

  /** Returns the exit code, or the name of a signal. */
  async stop(terminate: (child: ChildProcess) => void): Promise<number | string> {
    if (this.child.exitCode === null) {
      const exited = once(this.child, 'exit');
      terminate(this.child);
      await exited;
    }
    return this.child.exitCode ?? this.child.signalCode ?? 'unknown';
  }
}

async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + READY_WITHIN_MS;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`Waited too long for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
