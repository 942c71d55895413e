import { execFile, spawn, spawnSync } from 'node:child_process';
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

/** How often an event occurs while a stream waits for one. */
const EVENT_INTERVAL_MS = 200;

const TSC = path.resolve('node_modules/typescript/bin/tsc');
const PYRIGHT = path.resolve('node_modules/pyright/index.js');
/** In CI, a missing Python fails the test. */
const runsPython = Boolean(process.env['CI']) || spawnSync('python3', ['--version']).status === 0;
const PYTHON_SDK = path.resolve('sdk-python');

interface Prepared {
  operation: Operation;
  text: string;
  folder: string;
  client: ApiClient;
  environment: Record<string, string>;
}

interface Result {
  operationId: string;
  error?: string | null;
  output: string;
}

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

/**
 * Replaces the example ids in the programs of all operations. Each gets an account and resources of its own. A job can be
 * cancelled only for a moment, so its program is the last to be prepared and the first to run.
 */
async function prepareAll(
  language: string,
  textOf: (one: Operation) => string,
): Promise<Prepared[]> {
  const isUrgent = ({ operationId }: Operation) => operationId === 'cancelJob';
  const prepareOne = (operation: Operation) => prepare(operation, language, textOf(operation));
  const others = await Promise.all(operations.filter((one) => !isUrgent(one)).map(prepareOne));
  return [...(await Promise.all(operations.filter(isUrgent).map(prepareOne))), ...others];
}

async function prepare(operation: Operation, language: string, program: string): Promise<Prepared> {
  const { operationId } = operation;
  const folder = path.join(project, language, operationId);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'report.md'), '# Quarterly report\n\nRevenue grew by 12 %.\n');
  const { api: client, key } = await app.account();
  const text = await new SampleSeed(client, operationId, program).seeded();
  if (operationId === 'importAccount') await writeArchive(path.join(folder, 'account.ndjson'));
  const environment = { DOCUMENT_SERVICE_URL: app.origin, DOCUMENT_SERVICE_KEY: key };
  return { operation, text, folder, client, environment };
}

/** Writes the archive of another account with a document. */
async function writeArchive(file: string): Promise<void> {
  const { api: other } = await app.account();
  const sample = '/v1/jobs/job_01kam3k0v5e0rbk1y2c9q4w7zt/result';
  const address = await new SampleSeed(other, 'readJobResult', sample).seeded();
  writeFileSync(file, (await other.send('GET', address)).text);
}

/** Creates documents in the account while `work` runs, so that its stream of events has some. */
async function withEvents<T>(prepared: Prepared | undefined, work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => {
    void prepared?.client.createDocument({ title: 'Event' });
  }, EVENT_INTERVAL_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** Runs the sample in bash. Returns the status of the answer and its warnings. */
async function runCurl({ operation, text, folder, environment }: Prepared) {
  const isEndless = ENDLESS.has(operation.operationId);
  const script = `curl() { command curl -D headers ${isEndless ? '--max-time 2' : ''} "$@"; }\n${text}\n`;
  const env = { PATH: process.env['PATH'], ...environment };
  const stdout = await run('bash', ['-c', script], { cwd: folder, env, maxBuffer: 2 ** 26 }).then(
    (result) => result.stdout,
    (error: unknown) => (isEndless ? (error as { stdout: string }).stdout : String(error)),
  );
  const headers = readFileSync(path.join(folder, 'headers'), 'utf8');
  const statuses = [...headers.matchAll(/^HTTP\/\S+ (\d+)/gm)].map(([, status]) => status);
  return { status: statuses.at(-1) ?? '', stdout };
}

/** Runs all programs of a language in one process. */
async function runPrograms(command: string[], all: Prepared[], fileOf: (one: Prepared) => string) {
  const input = all.map((one) => ({
    operationId: one.operation.operationId,
    program: fileOf(one),
    folder: one.folder,
    environment: one.environment,
    stream: ENDLESS.has(one.operation.operationId),
  }));
  const [program = '', ...words] = command;
  const child = spawn(program, [...words, JSON.stringify(input)], {
    cwd: project,
    env: { PATH: process.env['PATH'], PYTHONPATH: PYTHON_SDK, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const stream = all.find(({ operation }) => ENDLESS.has(operation.operationId));
  await withEvents(stream, () => new Promise((resolve) => child.once('close', resolve)));
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Result);
}

/** Expects that every operation has run without an error. */
function expectAllRun(results: Result[]): void {
  expect(results.filter(({ error }) => error)).toEqual([]);
  const names = results.map(({ operationId }) => operationId);
  expect(names.sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
}

/** Runs a checker. Returns its messages, or an empty text if it is satisfied. */
function problemsOf(words: string[]): Promise<string> {
  return run(process.execPath, words).then(
    () => '',
    (error: unknown) => (error as { stdout: string }).stdout,
  );
}

/** Writes a program for each operation, with the ids that the page shows. Returns their folder. */
function writePrograms(language: 'python' | 'typescript', extension: string): string {
  const folder = path.join(project, `${language}-programs`);
  mkdirSync(folder, { recursive: true });
  for (const operation of operations) {
    const text = samplesOf(api, operation)[language];
    writeFileSync(path.join(folder, `${operation.operationId}${extension}`), `${text}\n`);
  }
  return folder;
}

/** Lets the compiled programs find the compiled client under the name of its package. */
function linkClient(out: string): void {
  const folder = path.join(out, 'node_modules/@document-service/client');
  mkdirSync(folder, { recursive: true });
  const index = path.relative(folder, path.join(out, 'packages/client/src/index.js'));
  writeFileSync(path.join(folder, 'index.js'), `export * from '${index}';\n`);
  const description = { name: '@document-service/client', type: 'module', exports: './index.js' };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(description));
  writeFileSync(path.join(out, 'package.json'), '{"type": "module"}');
}

/** Seeds and runs the programs of a folder. */
async function runAll(command: string[], folder: string, extension: string): Promise<Result[]> {
  const fileOf = ({ operationId }: Operation) => path.join(folder, `${operationId}${extension}`);
  const language = path.basename(folder);
  const all = await prepareAll(language, (one) => readFileSync(fileOf(one), 'utf8'));
  for (const { operation, text } of all) writeFileSync(fileOf(operation), text);
  return runPrograms(command, all, ({ operation }) => fileOf(operation));
}

describe('the samples of the reference', () => {
  it('in curl get a success that the operation documents, without warnings', async () => {
    const all = await prepareAll('curl', (operation) => samplesOf(api, operation).curl);
    const failed: unknown[] = [];
    for (const prepared of all) {
      const { operationId, responses } = prepared.operation;
      const stream = ENDLESS.has(operationId) ? prepared : undefined;
      const { status, stdout } = await withEvents(stream, () => runCurl(prepared));
      const successes = responses.map((answer) => answer.status).filter((one) => one < '400');
      const isEmpty = stdout === '' && !prepared.text.includes(' -o ');
      if (!successes.includes(status) || stdout.includes('"warnings":[{') || isEmpty) {
        failed.push({ operationId, status, stdout: stdout.slice(0, 2000) });
      }
    }
    expect(failed).toEqual([]);
    expect(all).toHaveLength(operations.length);
  }, 300_000);

  it('in TypeScript compile as one program, and run', async () => {
    const folder = writePrograms('typescript', '.mts');
    const out = path.join(project, 'out');
    const config = {
      compilerOptions: {
        strict: true,
        target: 'ES2022',
        module: 'NodeNext',
        lib: ['ES2023', 'DOM', 'DOM.Iterable'],
        types: ['node'],
        skipLibCheck: true,
        customConditions: ['document-service-source'],
        rootDir: process.cwd(),
        outDir: out,
      },
      include: [`${path.basename(folder)}/*.mts`, path.resolve('packages/client/src/index.ts')],
    };
    writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify(config));
    expect(await problemsOf([TSC, '-p', project])).toBe('');
    linkClient(out);
    const compiled = path.join(out, path.relative(process.cwd(), folder));
    const runner = path.resolve('test/documentation/run/run-samples.mjs');
    expectAllRun(await runAll([process.execPath, runner], compiled, '.mjs'));
  }, 300_000);

  (runsPython ? it : it.skip)(
    'in Python pass pyright, and run',
    async () => {
      const folder = writePrograms('python', '.py');
      const config = { include: [path.basename(folder)], extraPaths: [PYTHON_SDK] };
      writeFileSync(path.join(project, 'pyrightconfig.json'), JSON.stringify(config));
      expect(await problemsOf([PYRIGHT, '-p', project])).toBe('');
      const runner = path.resolve('test/documentation/run/run-samples.py');
      expectAllRun(await runAll(['python3', runner], folder, '.py'));
    },
    180_000,
  );
});
