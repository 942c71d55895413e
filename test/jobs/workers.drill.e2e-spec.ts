import { Access } from '../../src/features/auth/access/access.js';
import { ACCOUNT_EXPORT } from '../../src/features/archive/account-export.js';
import { ACCOUNT_IMPORT } from '../../src/features/archive/import/account-import.js';
import { Clock } from '../../src/platform/basics/clock/clock.js';
import { JobEntity } from '../../src/features/jobs/entities/job.entity.js';
import { Database } from '../../src/platform/database/database.js';
import { JOB_TIME_LIMITS, SERVING_TIME_LIMITS } from '../../src/platform/database/pools.js';
import { DOCUMENT_EXPORT } from '../../src/features/documents/files/document-export.js';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { lanesOf } from '../../src/features/jobs/queue/job-kind.js';
import { JobQueue } from '../../src/features/jobs/queue/job-queue.js';
import { StoredFilesRepository } from '../../src/features/jobs/stored-files.repository.js';
import { JobAttempts } from '../../src/features/jobs/worker/job-attempts.js';
import {
  JobLeaseRepository,
  type ClaimedJob,
} from '../../src/features/jobs/worker/job-lease.repository.js';
import type { TestAccount } from '../support/accounts.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { fillDocuments } from '../support/fill.js';
import { endOf, jobWhen, type ShownJob } from '../support/jobs.js';
import { holdInserts } from './held-inserts.js';

const KINDS = [ACCOUNT_EXPORT, ACCOUNT_IMPORT];

/** A service without a worker. The test claims jobs. */
let app: TestApp;
let leases: JobLeaseRepository;
beforeAll(async () => {
  app = await startTestApp();
  leases = new JobLeaseRepository(
    app.app.get(Database),
    app.dataSource.getRepository(JobEntity),
    app.app.get(StoredFilesRepository),
    app.app.get(Clock),
  );
});
beforeEach(() => app.dataSource.query('DELETE FROM jobs'));
afterAll(() => app.close());

async function ordered(api: ApiClient): Promise<string> {
  return (expectSuccess(await api.exportAccount(), 202) as ShownJob).id;
}

async function claimed(): Promise<ClaimedJob> {
  const [job] = await leases.claim(KINDS.flatMap(lanesOf));
  if (!job) throw new Error('There is no job to claim.');
  return job;
}

const uuidOf = (id: string) => decodeId('job', id) ?? '';
/** Ends the lease of a job, as if its worker had disappeared. */
const endLease = (id: string) =>
  app.dataSource.query(
    `UPDATE jobs SET lease_expires_at = now() - interval '1 second' WHERE id = $1`,
    [uuidOf(id)],
  );
const status = async (api: ApiClient, id: string) =>
  ((await api.readJob(id)).body.data as ShownJob).status;

/** Documents of 64,000 characters that compress badly, so an export writes its file in many chunks. */
const DOCUMENTS = 200;
const fill = async (account: TestAccount) => {
  await fillDocuments(app.dataSource, account, DOCUMENTS, {
    content: `(SELECT string_agg(md5(n::text || '.' || m::text), '') FROM generate_series(1, 2000) AS m)`,
  });
  // Nobody searches them, so no worker needs to index them beside its job.
  await app.dataSource.query('DELETE FROM search_changes');
};

describe('Workers', () => {
  it('Workers share jobs so that each is held by one worker, longest waiting first', async () => {
    const accounts = await Promise.all(Array.from({ length: 12 }, () => app.account()));
    const ids: string[] = [];
    for (const { api } of accounts) ids.push(await ordered(api));
    const first = await claimed();
    expect(first.id).toBe(uuidOf(ids[0] ?? ''));
    const jobs = await Promise.all(
      Array.from({ length: 20 }, () => leases.claim(KINDS.flatMap(lanesOf))),
    );
    const held = [first, ...jobs.flat()].map((job) => job.id);
    expect([...held].sort()).toEqual(ids.map(uuidOf).sort());
  });

  it('Workers never hold more jobs of a kind and account than allowed, so that others need not wait', async () => {
    const [{ api, accountId }, { api: other }] = [await app.account(), await app.account()];
    await ordered(api);
    await app.dataSource.query(
      `INSERT INTO jobs (id, account_id, kind, input, context, run_at, created_at)
       SELECT gen_random_uuid(), $1, 'document.export', '{}', '{}', now(), now() FROM generate_series(1, 30)`,
      [accountId],
    );
    const patient = await ordered(other);
    const kinds = [...KINDS, DOCUMENT_EXPORT];
    const jobs = await Promise.all(
      Array.from({ length: 16 }, () => leases.claim(kinds.flatMap(lanesOf))),
    );
    const held = jobs.flat();
    expect(held.filter(({ kind }) => kind === 'document.export')).toHaveLength(2);
    expect(held.map(({ id }) => id)).toContain(uuidOf(patient));
  });

  it('Workers alternate between accounts, so that nobody waits for everything that another account ordered', async () => {
    const [busy, patient] = [await app.account(), await app.account()];
    const queue = app.app.get(JobQueue);
    const order = ({ accountId, keyId, userId }: TestAccount) => {
      const principal = {
        ...{
          kind: 'key' as const,
          accountId,
          keyId,
          plan: 'enterprise' as const,
          customLimits: null,
        },
        ...{ scopes: ['*' as const], expiresAt: null, allowedIps: [], limits: null, token: null },
        ...{ role: 'owner' as const, collections: null, accessEpoch: '0' },
        user: { id: userId, name: 'Ada', email: 'ada@example.com' },
      };
      const input = { documentId: accountId, version: 1, format: 'pdf' as const };
      const access = Access.ofService(accountId);
      const context = {
        principal,
        access,
        requestId: 'req_1',
        clientAddress: null,
        userAgent: null,
      };
      return queue.add({ kind: DOCUMENT_EXPORT, input }, context);
    };
    for (let n = 0; n < 10; n += 1) await order(busy);
    const served: string[] = [];
    const serve = async () => {
      const [job] = await leases.claim(lanesOf(DOCUMENT_EXPORT));
      if (!job) throw new Error('There is no job to claim.');
      served.push(job.accountId === busy.accountId ? 'busy' : 'patient');
      await leases.fail(job, { code: 'INTERNAL_ERROR', message: 'x' }, 0);
    };
    await serve();
    for (let n = 0; n < 3; n += 1) await order(patient);
    for (let n = 0; n < 7; n += 1) await serve();
    expect(served.slice(1).join(' ')).toBe('busy patient busy patient busy patient busy');
  });

  it('Workers take over what a worker has released, which can no longer write anything', async () => {
    const { api } = await app.account();
    const id = await ordered(api);
    const paused = await claimed();
    expect(await leases.claim(KINDS.flatMap(lanesOf))).toEqual([]);
    expect(await leases.renew(paused, { done: 3, total: 10 })).toBe(true);
    expect((await api.readJob(id)).body.data.progress).toEqual({ done: 3, total: 10 });
    await endLease(id);
    const next = await claimed();
    expect(next).toMatchObject({ id: paused.id, attempts: 2, generation: paused.generation + 1 });
    // The first one wakes up.
    const files = app.app.get(StoredFilesRepository);
    const output = async () => ({
      file: await files.write(
        paused.accountId,
        (async function* () {
          yield await Promise.resolve(Buffer.from('x'));
        })(),
      ),
      mediaType: 'text/plain',
      fileName: 'x',
    });
    const done = { done: 1, total: 1 };
    expect(await leases.renew(paused, { done: 9, total: 10 })).toBe(false);
    await expect(leases.succeed(paused, await output(), done)).rejects.toThrow(
      /no longer holds the job/,
    );
    await leases.fail(paused, { code: 'INTERNAL_ERROR', message: 'x' }, 0);
    await leases.retry(paused, 0, 0);
    await leases.release(paused);
    expect((await api.readJob(id)).body.data).toMatchObject({
      status: 'running',
      progress: { done: 0, total: 10 },
      error: null,
    });
    await leases.succeed(next, await output(), done);
    expect((await api.readJob(id)).body.data).toMatchObject({ status: 'succeeded' });
    await expect(leases.succeed(next, await output(), done)).rejects.toThrow(
      /no longer holds the job/,
    );
  });

  it('Workers return a job at shutdown as if it had not started', async () => {
    const { api } = await app.account();
    const id = await ordered(api);
    const job = await claimed();
    await leases.release(job);
    expect(await status(api, id)).toBe('queued');
    expect(await claimed()).toMatchObject({ id: uuidOf(id), attempts: 1 });
  });

  it('Workers retry failures later, with increasing waits', async () => {
    const { api } = await app.account();
    const id = await ordered(api);
    await leases.retry(await claimed(), 60_000, 0);
    expect(await leases.claim(KINDS.flatMap(lanesOf))).toEqual([]);
    await app.dataSource.query('UPDATE jobs SET run_at = now() WHERE id = $1', [uuidOf(id)]);
    expect(await claimed()).toMatchObject({ attempts: 2 });
  });

  it('Workers quarantine a job that crashed three workers', async () => {
    const { api } = await app.account();
    const id = await ordered(api);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect(await claimed()).toMatchObject({ attempts: attempt, crashes: attempt - 1 });
      await endLease(id);
    }
    expect(await leases.claim(KINDS.flatMap(lanesOf))).toEqual([]);
    expect((await api.readJob(id)).body.data).toMatchObject({
      status: 'failed',
      error: {
        code: 'INTERNAL_ERROR',
        message: expect.stringContaining('is in quarantine: it is not tried again') as string,
        details: { quarantined: true, crashes: 3 },
      },
    });
  });

  it('Workers do not touch a cancelled job', async () => {
    const { api } = await app.account();
    const id = await ordered(api);
    const job = await claimed();
    await api.cancelJob(id);
    expect(await leases.renew(job, { done: 1, total: 2 })).toBe(false);
    await endLease(id);
    expect(await leases.claim(KINDS.flatMap(lanesOf))).toEqual([]);
    expect(await status(api, id)).toBe('cancelled');
  });
});

describe('A worker', () => {
  // On a slow machine, a job is held longer than a request's statement may wait.
  const limits = { ...SERVING_TIME_LIMITS };
  beforeAll(() => {
    Object.assign(SERVING_TIME_LIMITS, JOB_TIME_LIMITS, { lock: undefined });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(() => {
    Object.assign(SERVING_TIME_LIMITS, limits);
  });

  it('A worker learns of a job immediately, and of one whose notification was lost', async () => {
    const { api } = await app.account();
    const waiting = await ordered(api);
    const worker = await startTestApp({
      databaseUrl: databaseUrl(),
      environment: { PROCESS_ROLE: 'worker' },
    });
    await jobWhen(api, waiting, (job) => job.status === 'succeeded');
    const started = performance.now();
    await endOf(api, await api.exportAccount());
    expect(performance.now() - started).toBeLessThan(4_000);
    await worker.close();
  });

  it('A worker stops a job that is cancelled while it runs, and leaves nothing of it', async () => {
    const account = await app.account();
    const { api, accountId } = account;
    await fill(account);
    const worker = await startTestApp({
      databaseUrl: databaseUrl(),
      environment: { PROCESS_ROLE: 'worker' },
    });
    const renew = jest.spyOn(JobLeaseRepository.prototype, 'renew');
    const chunks = await holdInserts(app.dataSource, 'stored_file_chunks');
    const id = await ordered(api);
    await chunks.untilAwaited();
    expectSuccess(await api.cancelJob(id));
    expect(await status(api, id)).toBe('cancelled');
    // The worker has found out.
    await eventually(async () => {
      const renewals = renew.mock.results.map(({ value }) => value as Promise<boolean>);
      return (await Promise.all(renewals)).includes(false);
    });
    await chunks.release();
    await worker.close();
    expect(await status(api, id)).toBe('cancelled');
    const left = await app.dataSource.query<object[]>(
      'SELECT FROM stored_files WHERE account_id = $1 AND expires_at > $2',
      [accountId, app.clock.now()],
    );
    expect(left).toEqual([]);
  });

  it('A worker passes its job to another one when it shuts down', async () => {
    const account = await app.account();
    const { api } = account;
    await fill(account);
    const environment = { PROCESS_ROLE: 'worker' };
    const first = await startTestApp({ databaseUrl: databaseUrl(), environment });
    const chunks = await holdInserts(app.dataSource, 'stored_file_chunks');
    const id = await ordered(api);
    await chunks.untilAwaited();
    // Aborts the jobs of the ending worker.
    const stop = jest.spyOn(JobAttempts.prototype, 'stop');
    const closing = first.close();
    await eventually(() => stop.mock.calls.length > 0);
    // Dozens of chunks are still to be written, and one is waiting.
    await chunks.release();
    await closing;
    expect(await status(api, id)).toBe('queued');
    const second = await startTestApp({ databaseUrl: databaseUrl(), environment });
    const job = await jobWhen(api, id, ({ finishedAt }) => finishedAt !== null);
    expect(job).toMatchObject({
      status: 'succeeded',
      result: { summary: { counts: { document: DOCUMENTS } } },
    });
    await second.close();
  });
});

function databaseUrl(): string {
  return (app.dataSource.options as unknown as { url: string }).url;
}
