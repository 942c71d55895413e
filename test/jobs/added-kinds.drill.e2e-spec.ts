import { readFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { makeAccount, makeKey, type TestAccount } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { endOf, type ShownJob } from '../support/jobs.js';
import { openTestDatabase } from '../support/postgres.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { drillCases, drillCount } from '../support/drills.js';
import { editService, type EditedService } from '../support/edited-service.js';

jest.setTimeout(300_000);

const END_WITHIN_MS = drillCount({ small: 1_000, full: 5_000 });

let program: EditedService;
let database: Awaited<ReturnType<typeof openTestDatabase>>;
let service: ServiceProcess;
let account: TestAccount;
let api: ApiClient;
beforeAll(async () => {
  program = await editService(
    new Map([
      ...(await filesOfGuide()),
      await trialKinds(),
      await withImports('src/job-kinds.module.ts', {
        GlossaryJobsModule: './features/glossary/glossary-jobs.module.js',
        TrialJobsModule: './trial/trial-kinds.js',
      }),
      await withImports('src/app.module.ts', {
        GlossaryModule: './features/glossary/glossary.module.js',
        TrialModule: './trial/trial-kinds.js',
      }),
      await hastyThreads(),
    ]),
  );
  database = await openTestDatabase();
  service = await startService(
    {
      DATABASE_URL: database.url,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      PROCESS_ROLE: 'all',
    },
    `${program.folder}/main.js`,
  );
  account = await makeAccount(database.dataSource);
  api = new ApiClient(service.origin, account.key);
});
afterAll(async () => {
  await service.end();
  await database.drop();
  await program.remove();
});

/** The files of the guide, by path. */
async function filesOfGuide(): Promise<[path: string, text: string][]> {
  const guide = await readFile('docs/contribute/add-a-job-kind.md', 'utf8');
  const files = [...guide.matchAll(/```ts\n\/\/ (src\/\S+)\n([^]*?)```/g)];
  expect(files.length).toBe(4);
  return files.map(([, path = '', text = '']) => [path, text]);
}

/** Returns the file with kinds that wait, compute, crash and hang. */
async function trialKinds(): Promise<[path: string, text: string]> {
  const text = await readFile('test/jobs/trial-kinds.ts', 'utf8');
  return ['src/trial/trial-kinds.ts', text.replaceAll('../../src/', '../')];
}

/** Returns a module with added imports. The guide and the trial kinds are added in the same way. */
async function withImports(
  path: string,
  modules: Readonly<Record<string, string>>,
): Promise<[path: string, text: string]> {
  const names = Object.keys(modules).map((name) => `${name}, `);
  const lines = Object.entries(modules).map(
    ([name, from]) => `import { ${name} } from '${from}';\n`,
  );
  const text = await readFile(path, 'utf8');
  return [path, lines.join('') + edited(text, 'imports: [', `imports: [${names.join('')}`)];
}

function edited(text: string, before: string, after: string): string {
  expect(text.split(before)).toHaveLength(2);
  return text.replace(before, after);
}

/** Shortens the time that a thread may take to end, because three hanging jobs wait for it. */
async function hastyThreads(): Promise<[path: string, text: string]> {
  const path = 'src/features/jobs/worker/job-threads.ts';
  const text = await readFile(path, 'utf8');
  return [path, edited(text, 'END_WITHIN_MS = 5_000', `END_WITHIN_MS = ${String(END_WITHIN_MS)}`)];
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
