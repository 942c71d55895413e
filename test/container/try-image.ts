// Starts an image built by buildah as api and as worker, with an embedded PostgreSQL, creates a document, and waits until the
// worker has indexed it. Fails with the output of the failed process. Usage, as root:
// node -C document-service-source --import @swc-node/register/esm-register test/container/try-image.ts TAG
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '@document-service/embedded-postgres/free-port';
import { startEmbeddedPostgres } from '@document-service/embedded-postgres/start-embedded-postgres';

const READY_WITHIN_MS = 120_000;

const [, , tag = 'document-service'] = process.argv;
const image = `localhost/${tag}`;
// Stores and runs images without Docker, as ../shared/tools/build-image.sh does.
const env = { ...process.env, STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' };
const buildah = (...words: string[]) => execFileSync('buildah', words, { env, encoding: 'utf8' });
const containers: string[] = [];

/** Runs a program of the image in a new container. */
function run(command: readonly string[], variables: Record<string, string>): ChildProcess {
  const container = buildah('from', '--pull-never', image).trim();
  containers.push(container);
  const settings = Object.entries(variables).map(([name, value]) => `--env=${name}=${value}`);
  const words = ['run', '--network', 'host', ...settings, container, '--', ...command];
  return spawn('buildah', words, { env });
}

/**
 * Returns the program that buildah runs. It is a descendant of buildah's own processes, and any of their threads may have
 * started it.
 */
function innermost(pid: number): number {
  const threads = `/proc/${String(pid)}/task`;
  const children = readdirSync(threads).flatMap((thread) =>
    readFileSync(`${threads}/${thread}/children`, 'utf8').split(' '),
  );
  const child = children.find((word) => word !== '');
  return child === undefined ? pid : innermost(Number(child));
}

async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + READY_WITHIN_MS;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`Waited too long for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
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
      if (this.child.exitCode !== null) throw new Error('The process ended.');
      const response = await fetch(`${this.origin}/health/ready`).catch(() => undefined);
      return response?.ok ?? false;
    }).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${this.output}`);
    });
  }

  /** Returns the exit code, or the name of a signal. buildah would kill the program itself. */
  async stop(): Promise<number | string> {
    const { pid = 0, exitCode } = this.child;
    if (exitCode === null) {
      const exited = once(this.child, 'exit');
      process.kill(innermost(pid), 'SIGTERM');
      await exited;
    }
    return this.child.exitCode ?? this.child.signalCode ?? 'unknown';
  }
}

async function createKey(environment: Record<string, string>): Promise<string> {
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

async function useService({ origin }: Service, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ title: 'From the image', content: 'An uncommon word: zymurgy.' });
  const created = await fetch(`${origin}/v1/documents`, { method: 'POST', headers, body });
  if (created.status !== 201) throw new Error(`The create failed: ${await created.text()}`);
  for (const path of ['/dashboard/', '/docs', '/docs/reference/operations']) {
    const page = await fetch(origin + path);
    if (!page.ok) throw new Error(`${path} responds with ${String(page.status)}.`);
  }
  await until('the worker to index the document', async () => {
    const found = await fetch(`${origin}/v1/documents?q=zymurgy`, { headers });
    const { data } = (await found.json()) as { data?: unknown[] };
    return data?.length === 1;
  });
  console.log('The worker has indexed the document.');
}

const { OCIv1 } = JSON.parse(buildah('inspect', '--type', 'image', image)) as {
  OCIv1: { config: { Cmd: string[] } };
};
const folder = await mkdtemp(join(tmpdir(), 'try-image-'));
const postgres = await startEmbeddedPostgres({ dataDir: folder, durable: false });
const shared = {
  DATABASE_URL: postgres.url,
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
};
const start = async (PROCESS_ROLE: string) => {
  const port = await freePort();
  const environment = { ...shared, PROCESS_ROLE, PORT: String(port), HOST: '127.0.0.1' };
  const service = new Service(run(OCIv1.config.Cmd, environment), port);
  running.push(service);
  await service.ready();
  console.log(`${PROCESS_ROLE}: ready`);
  return service;
};
const running: Service[] = [];
try {
  const api = await start('api');
  await start('worker');
  await useService(api, await createKey(shared));
} finally {
  const codes = await Promise.all(running.map((service) => service.stop()));
  console.log(`Exit codes after SIGTERM: ${codes.join(', ')}`);
  if (codes.some((code) => code !== 0)) process.exitCode = 1;
  if (containers.length > 0) buildah('rm', ...containers);
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
