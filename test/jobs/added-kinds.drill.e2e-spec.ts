import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { randomBytes } from 'node:crypto';
import { makeAccount, makeKey, type TestAccount } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { endOf, type ShownJob } from '../support/jobs.js';
import { openTestDatabase } from '../support/postgres.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { drillCases } from '../support/drills.js';

jest.setTimeout(300_000);

let folder: string;
let database: Awaited<ReturnType<typeof openTestDatabase>>;
let service: ServiceProcess;
let account: TestAccount;
let api: ApiClient;
beforeAll(async () => {
  await mkdir('.tmp', { recursive: true });
  folder = await mkdtemp('.tmp/added-kinds-');
  await cp('src', join(folder, 'src'), { recursive: true });
  await followTheGuide();
  await addTrialKinds();
  const program = await compiled();
  process.env['TEST_SERVICE_FOLDER'] = program;
  database = await openTestDatabase();
  service = await startService(
    {
      DATABASE_URL: database.url,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      PROCESS_ROLE: 'all',
    },
    `${program}/main.js`,
  );
  account = await makeAccount(database.dataSource);
  api = new ApiClient(service.origin, account.key);
});
afterAll(async () => {
  await service.end();
  await database.drop();
  await rm(folder, { recursive: true });
});

/** Writes the files of the guide into the copy and adds its two imports. */
async function followTheGuide(): Promise<void> {
  const guide = await readFile('docs/guides/add-a-job-kind.md', 'utf8');
  const files = [...guide.matchAll(/```ts\n\/\/ (src\/\S+)\n([^]*?)```/g)];
  expect(files.length).toBe(4);
  for (const [, path = '', text = ''] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await addImport(
    'job-kinds.module.ts',
    'GlossaryJobsModule',
    './features/glossary/glossary-jobs.module.js',
  );
  await addImport('app.module.ts', 'GlossaryModule', './features/glossary/glossary.module.js');
}

/** Adds kinds that wait, compute, crash and hang, in the same way. */
async function addTrialKinds(): Promise<void> {
  const text = await readFile('test/jobs/trial-kinds.ts', 'utf8');
  await mkdir(join(folder, 'src/trial'));
  await writeFile(join(folder, 'src/trial/trial-kinds.ts'), text.replaceAll('../../src/', '../'));
  await addImport('job-kinds.module.ts', 'TrialJobsModule', './trial/trial-kinds.js');
  await addImport('app.module.ts', 'TrialModule', './trial/trial-kinds.js');
}

async function addImport(file: string, name: string, from: string): Promise<void> {
  const path = join(folder, 'src', file);
  const text = await readFile(path, 'utf8');
  await writeFile(
    path,
    `import { ${name} } from '${from}';\n${text.replace('imports: [', `imports: [${name}, `)}`,
  );
}

async function compiled(): Promise<string> {
  const swc = join(process.cwd(), 'node_modules/@swc/cli/bin/swc.js');
  const settings = join(process.cwd(), '.swcrc');
  const options = [
    '-d',
    'dist',
    '--strip-leading-paths',
    '--copy-files',
    '--config-file',
    settings,
  ];
  await promisify(execFile)(process.execPath, [swc, 'src', ...options], { cwd: folder });
  return join(folder, 'dist');
}

const order = (kind: string) => api.send('POST', `/v1/trial/${kind}`);

/** Makes waiting retries due immediately, until the job ends. */
async function endWithoutWaiting(kind: string): Promise<ShownJob> {
  const accepted = await order(kind);
  const hurry = setInterval(() => {
    void database.dataSource.query(
      `WITH due AS (UPDATE jobs SET run_at = now() WHERE status = 'queued' AND run_at > now() RETURNING id)
       SELECT pg_notify('jobs', '') FROM due LIMIT 1`,
    );
  }, 200);
  return endOf(api, accepted, 120_000).finally(() => {
    clearInterval(hurry);
  });
}

describe('A job kind that a feature adds with the guide', () => {
  it('runs its jobs in a thread and returns their JSON', async () => {
    const body = { text: 'The cat sat. The cat slept. The end.', terms: 2 };
    const accepted = await api.send('POST', '/v1/glossary', { body });
    expect(expectSuccess(accepted, 202)).toMatchObject({ kind: 'glossary.build' });
    const job = await endOf(api, accepted, 60_000);
    expect(job).toMatchObject({
      status: 'succeeded',
      progress: { done: 8, total: 8 },
      result: {
        terms: [
          { term: 'the', count: 3 },
          { term: 'cat', count: 2 },
        ],
      },
    });
    const result = await api.readJobResult(job.id);
    expectFailure(result, 409, 'INVALID_REQUEST');
    expect(result.body.error.message).toMatch(/Read the job: it contains the result/);
  });

  it('is in the API document, and its jobs are visible only with its scope', async () => {
    const document = await api.send('GET', '/v1/openapi.json');
    expect(document.body.components.schemas.Job.properties.kind.enum).toContain('glossary.build');
    const { id } = await endOf(api, await order('wait'));
    const seenWith = async (scopes: ('documents:read' | 'templates:read' | 'audit:read')[]) => {
      const { key } = await makeKey(database.dataSource, account, { scopes });
      return (await new ApiClient(service.origin, key).readJob(id)).status;
    };
    expect(await seenWith(['documents:read'])).toBe(200);
    expect(await seenWith(['templates:read'])).toBe(403);
  });

  it('runs in the process, or in a thread that runs one job at a time, as declared', async () => {
    const waited = await endOf(api, await order('wait'));
    expect(waited.result).toEqual({ isMainThread: true });
    const threads = [];
    for (let n = 0; n < 3; n += 1)
      threads.push((await endOf(api, await order('compute'), 120_000)).result);
    expect(threads[0]).toMatchObject({ isMainThread: false });
    expect(new Set(threads.map((thread) => JSON.stringify(thread))).size).toBe(1);
  });

  it('creates a file that can be downloaded', async () => {
    const job = await endOf(api, await order('file'));
    expect(job.result).toMatchObject({ bytes: 11, mediaType: 'text/csv', fileName: 'trial.csv' });
    expect((await api.readJobResult(job.id)).text).toBe('term,count\n');
  });

  const bad: [string, string, RegExp][] = [
    ['ends its thread', 'crash', /crashed its thread/],
    ['computes without end', 'hang', /ran for longer than 1 s/],
    ['waits without end', 'deaf', /ran for longer than 1 s/],
  ];
  it.each(drillCases(bad, (_, index) => index < 2))(
    'quarantines a job that %s three times, while other kinds continue',
    async (_, kind, how) => {
      const ending = endWithoutWaiting(kind);
      for (const other of ['wait', 'compute', 'wait']) {
        // A replacement thread loads all features first.
        expect((await endOf(api, await order(other), 120_000)).status).toBe('succeeded');
      }
      const job = await ending;
      expect(job).toMatchObject({
        status: 'failed',
        result: null,
        error: { code: 'INTERNAL_ERROR', details: { quarantined: true, crashes: 3 } },
      });
      expect(job.error?.message).toMatch(/crashed or hung 3 times and is in quarantine/);
      expect(job.error?.message).toMatch(how);
      await eventually(() =>
        service.log().some(({ msg, jobId }) => msg === 'job quarantined' && jobId === job.id),
      );
    },
  );
});
