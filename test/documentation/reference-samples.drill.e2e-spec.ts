import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  operationsOf,
  readApiDocument,
  type Operation,
} from '../../docs-site/reference/api-document.mjs';
import { samplesOf } from '../../docs-site/reference/samples.mjs';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { SampleSeed } from './run/sample-seeds.js';

const run = promisify(execFile);
const api = readApiDocument();
const operations = operationsOf(api);

/** Streams that never end are cut after their first bytes. */
const ENDLESS = new Set(['streamEvents']);

/** Samples that run at the same time. More would only wait for the database. */
const AT_ONCE = 4;

/** How often an event occurs while a stream waits for one. */
const EVENT_INTERVAL_MS = 200;

const TSC = path.resolve('node_modules/typescript/bin/tsc');
const PYRIGHT = path.resolve('node_modules/pyright/index.js');
/** In CI, a missing Python fails the test. */
const hasPython = Boolean(process.env['CI']) || spawnSync('python3', ['--version']).status === 0;

let app: TestApp;
/** Inside the repository, so that programs find the packages. */
let project: string;

beforeAll(async () => {
  app = await startTestApp({
    stopClock: false,
    environment: { PROCESS_ROLE: 'all' },
    runTasks: true,
  });
  mkdirSync('.tmp', { recursive: true });
  project = mkdtempSync(path.resolve('.tmp', 'reference-samples-'));
}, 60_000);

afterAll(async () => {
  await app.close();
  rmSync(project, { recursive: true, force: true });
});

interface Prepared {
  operation: Operation;
  /** The sample with the IDs of its own resources instead of the examples. */
  text: string;
  folder: string;
  client: ApiClient;
  key: string;
}

/** Gives the sample of an operation an account and resources of its own. */
async function prepare(operation: Operation): Promise<Prepared> {
  const { operationId } = operation;
  const folder = path.join(project, operationId);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'report.md'), '# Quarterly report\n\nRevenue grew by 12 %.\n');
  const { api: client, key } = await app.account();
  const text = await new SampleSeed(client, operationId, samplesOf(api, operation).curl).seeded();
  if (operationId === 'importAccount') await writeArchive(path.join(folder, 'account.ndjson'));
  return { operation, text, folder, client, key };
}

/** Writes the archive of another account with a document. */
async function writeArchive(file: string): Promise<void> {
  const { api: other } = await app.account();
  const sample = '/v1/jobs/job_01kam3k0v5e0rbk1y2c9q4w7zt/result';
  const address = await new SampleSeed(other, 'readJobResult', sample).seeded();
  writeFileSync(file, (await other.send('GET', address)).text);
}

/** Runs the sample in bash while events occur in its account. Returns the status of the response and its text. */
async function runSample({ operation, text, folder, client, key }: Prepared) {
  const isEndless = ENDLESS.has(operation.operationId);
  const script = `curl() { command curl -D headers ${isEndless ? '--max-time 2' : ''} "$@"; }\n${text}\n`;
  const env = {
    PATH: process.env['PATH'],
    DOCUMENT_SERVICE_URL: app.origin,
    DOCUMENT_SERVICE_KEY: key,
  };
  const change = () => void client.createDocument({ title: 'Event' });
  const timer = isEndless ? setInterval(change, EVENT_INTERVAL_MS) : undefined;
  const stdout = await run('bash', ['-c', script], { cwd: folder, env, maxBuffer: 2 ** 26 }).then(
    (result) => result.stdout,
    (error: unknown) => (isEndless ? (error as { stdout: string }).stdout : String(error)),
  );
  clearInterval(timer);
  const headers = readFileSync(path.join(folder, 'headers'), 'utf8');
  const statuses = [...headers.matchAll(/^HTTP\/\S+ (\d+)/gm)].map(([, status]) => status);
  return { status: statuses.at(-1) ?? '', stdout };
}

/** Writes the program of each operation. Returns their folder. */
function writePrograms(language: 'python' | 'typescript', extension: string): string {
  const folder = path.join(project, language);
  mkdirSync(folder, { recursive: true });
  for (const operation of operations) {
    const text = samplesOf(api, operation)[language];
    writeFileSync(path.join(folder, `${operation.operationId}${extension}`), `${text}\n`);
  }
  return folder;
}

/** Runs a checker. Returns its messages, or an empty text if it is satisfied. */
function problemsOf(words: string[]): Promise<string> {
  return run(process.execPath, words).then(
    () => '',
    (error: unknown) => (error as { stdout: string }).stdout,
  );
}

// test/sdk calls the methods of the clients, so the samples in TypeScript and Python only have to match their types.
describe('the samples of the reference', () => {
  it('in curl get a success that the operation documents, without warnings', async () => {
    const failed: unknown[] = [];
    const waiting = [...operations];
    const work = async () => {
      for (let operation = waiting.shift(); operation; operation = waiting.shift()) {
        const prepared = await prepare(operation);
        const { status, stdout } = await runSample(prepared);
        const successes = operation.responses.map((one) => one.status).filter((one) => one < '400');
        const isEmpty = stdout === '' && !prepared.text.includes(' -o ');
        if (!successes.includes(status) || stdout.includes('"warnings":[{') || isEmpty) {
          const { operationId } = operation;
          failed.push({ operationId, status, stdout: stdout.slice(0, 2000) });
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(failed).toEqual([]);
  }, 300_000);

  it('in TypeScript compile strictly', async () => {
    const folder = writePrograms('typescript', '.mts');
    const compilerOptions = {
      strict: true,
      target: 'ES2022',
      module: 'NodeNext',
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      types: ['node'],
      skipLibCheck: true,
      customConditions: ['document-service-source'],
      noEmit: true,
    };
    const config = { compilerOptions, include: [`${path.basename(folder)}/*.mts`] };
    writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify(config));
    expect(await problemsOf([TSC, '-p', project])).toBe('');
  }, 300_000);

  const title = `in Python ${hasPython ? 'pass pyright' : 'are skipped, because python3 is missing'}`;
  (hasPython ? it : it.skip)(
    title,
    async () => {
      const folder = writePrograms('python', '.py');
      const config = {
        include: [path.basename(folder)],
        extraPaths: [path.resolve('sdk-python')],
      };
      writeFileSync(path.join(project, 'pyrightconfig.json'), JSON.stringify(config));
      expect(await problemsOf([PYRIGHT, '-p', project])).toBe('');
    },
    180_000,
  );
});
