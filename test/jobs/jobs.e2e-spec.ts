import { randomUUID } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { request } from 'undici';
import { Access } from '../../src/features/auth/access/access.js';
import { BackgroundTasks } from '../../src/platform/background/background-tasks.js';
import { DOCUMENT_EXPORT } from '../../src/features/documents/files/document-export.js';
import { encodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { JobQueue } from '../../src/features/jobs/queue/job-queue.js';
import type { TestAccount } from '../support/accounts.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { endOf, jobWhen, type ShownJob } from '../support/jobs.js';

const DAY_MS = 24 * 60 * 60 * 1000;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'all' } });
});
afterAll(() => app.close());

const idOf = (accepted: { body: any }) => (accepted.body as { data: ShownJob }).data.id;

/** Prevents all workers from claiming a job meanwhile. */
async function whileNobodyClaims<Result>(work: () => Promise<Result>): Promise<Result> {
  return app.dataSource.transaction(async (manager) => {
    await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('jobs.claim', 0))`);
    return work();
  });
}

/** Orders a job for a document, as its route would. */
async function documentJob({ accountId, keyId, userId }: TestAccount): Promise<string> {
  const principal = {
    kind: 'key' as const,
    accountId,
    keyId,
    user: { id: userId, name: 'Ada', email: 'ada@example.com' },
    scopes: ['documents:read'] as const,
    expiresAt: null,
    allowedIps: [],
    limits: null,
    token: null,
    role: 'owner' as const,
    collections: null,
    accessEpoch: '0',
    plan: 'enterprise' as const,
    customLimits: null,
  };
  const access = Access.ofService(accountId);
  const context = { principal, access, requestId: 'req_1', clientAddress: '', userAgent: null };
  const input = { documentId: randomUUID(), version: 1, format: 'pdf' as const };
  return (await app.app.get(JobQueue).add({ kind: DOCUMENT_EXPORT, input }, context)).id;
}

describe('A job', () => {
  it('A job is accepted, runs, and has a result that can be downloaded', async () => {
    const { api } = await app.account();
    const accepted = await api.exportAccount();
    const queued = expectSuccess(accepted, 202) as ShownJob;
    expect(queued).toEqual({
      id: expect.stringMatching(/^job_[0-9a-z]{26}$/) as string,
      kind: 'account.export',
      status: 'queued',
      progress: { done: 0, total: null },
      result: null,
      error: null,
      createdAt: app.clock.now().toISOString(),
      startedAt: null,
      finishedAt: null,
    });
    expect(accepted.headers).toMatchObject({
      location: `/v1/jobs/${queued.id}`,
      'retry-after': '1',
    });
    const job = await endOf(api, accepted);
    const now = app.clock.now().toISOString();
    expect(job).toMatchObject({
      status: 'succeeded',
      startedAt: now,
      finishedAt: now,
      error: null,
    });
    expect(job.progress.total).toBeGreaterThan(0);
    expect(job.progress.done).toBe(job.progress.total);
    expect(job.result).toMatchObject({
      url: `/v1/jobs/${job.id}/result`,
      mediaType: 'application/x-ndjson',
      fileName: `account-${now.slice(0, 10)}.ndjson`,
      expiresAt: new Date(app.clock.now().getTime() + 3 * DAY_MS).toISOString(),
    });
    const result = await api.readJobResult(job.id);
    expect(result.status).toBe(200);
    expect(result.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-disposition': `attachment; filename=account-${now.slice(0, 10)}.ndjson`,
      'content-length': String(job.result?.bytes),
      'cache-control': 'private, no-store',
    });
    expect(Buffer.byteLength(result.text)).toBe(job.result?.bytes);
    expect(result.text).not.toMatch(/^\{"success"/);
  });

  it('A job sends its result compressed if the client accepts that, and only headers for HEAD', async () => {
    const { api, key } = await app.account();
    const job = await endOf(api, await api.exportAccount());
    const plain = await api.readJobResult(job.id);
    const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'br' };
    const url = `${app.origin}/v1/jobs/${job.id}/result`;
    const response = await request(url, { headers });
    expect(response.headers['content-encoding']).toBe('br');
    const bytes = Buffer.from(await response.body.arrayBuffer());
    expect(String(bytes.length)).toBe(response.headers['content-length']);
    expect(brotliDecompressSync(bytes).toString()).toBe(plain.text);
    const head = await request(url, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${key}` },
    });
    expect(head.headers['content-length']).toBe(String(job.result?.bytes));
    expect(await head.body.text()).toBe('');
  });

  it('A job has no result before it ends, and none after three days', async () => {
    const { api } = await app.account();
    const accepted = await whileNobodyClaims(async () => {
      const response = await api.exportAccount();
      const early = await api.readJobResult(idOf(response));
      expectFailure(early, 409, 'INVALID_REQUEST');
      expect(early.body.error.details).toEqual({ status: 'queued' });
      expect(early.headers['retry-after']).toBeDefined();
      return response;
    });
    const { id } = await endOf(api, accepted);
    app.clock.advance(3 * DAY_MS - 1);
    expect((await api.readJobResult(id)).status).toBe(200);
    app.clock.advance(1);
    expectFailure(await api.readJobResult(id), 404, 'NOT_FOUND');
    await app.app.get(BackgroundTasks).runAll();
    const [left] = await app.dataSource.query<{ n: number }[]>(
      `SELECT (SELECT count(*) FROM stored_files WHERE account_id = (SELECT account_id FROM jobs WHERE kind = 'account.export' AND result_file_id = stored_files.id LIMIT 1) AND expires_at <= $1)::int AS n`,
      [app.clock.now()],
    );
    expect(left?.n).toBe(0);
    expect((await api.readJob(id)).body.data).toMatchObject({ id, status: 'succeeded' });
    app.clock.advance(27 * DAY_MS);
    await app.app.get(BackgroundTasks).runAll();
    expectFailure(await api.readJob(id), 404, 'NOT_FOUND');
  });

  it('A job can be cancelled before it starts, only once', async () => {
    const { api, accountId } = await app.account();
    await whileNobodyClaims(async () => {
      const id = idOf(await api.exportAccount());
      const cancelled = expectSuccess(await api.cancelJob(id));
      expect(cancelled).toEqual({ id, deleted: true, status: 'cancelled' });
      expect(expectSuccess(await api.cancelJob(id))).toEqual(cancelled);
      expect((await api.readJob(id)).body.data).toMatchObject({
        status: 'cancelled',
        result: null,
        error: null,
        finishedAt: app.clock.now().toISOString(),
      });
      expectFailure(await api.readJobResult(id), 409, 'INVALID_REQUEST');
      // Its place in the queue is free.
      const next = await api.exportAccount();
      expectSuccess(next, 202);
    });
    const jobs = await jobsOf(api, 2);
    await jobWhen(api, jobs[0]?.id ?? '', ({ status }) => status === 'succeeded');
    expect((await api.list('/v1/audit', { action: 'job.cancel' })).body.data).toHaveLength(1);
    expect(accountId).toBeDefined();
  });

  it('A job that has ended cannot be cancelled', async () => {
    const { api } = await app.account();
    const { id } = await endOf(api, await api.exportAccount());
    const refused = await api.cancelJob(id);
    expectFailure(refused, 409, 'INVALID_REQUEST');
    expect(refused.body.error.details).toEqual({ status: 'succeeded' });
    expect((await api.readJobResult(id)).status).toBe(200);
  });

  it('A job is invisible to others, byte for byte like one that does not exist', async () => {
    const [{ api }, { api: other }] = [await app.account(), await app.account()];
    const { id } = await endOf(api, await api.exportAccount());
    const stranger = 'job_01h455vb4pex5vsknk084sn02q';
    const body = (response: { text: string }) => response.text.replace(/"meta":.*/s, '');
    for (const read of [
      (job: string) => other.readJob(job),
      (job: string) => other.readJobResult(job),
      (job: string) => other.cancelJob(job),
    ]) {
      const [foreign, unknown, malformed] = [await read(id), await read(stranger), await read('x')];
      expectFailure(foreign, 404, 'NOT_FOUND');
      expect(body(foreign)).toBe(body(unknown));
      expect(body(malformed)).toBe(body(unknown));
    }
    expect((await other.listJobs()).body.data).toEqual([]);
  });

  it('A job of the whole account can be read and cancelled only with all scopes, one of a document with fewer', async () => {
    const account = await app.account();
    const { key } = await app.anotherKey(account, { scopes: ['documents:read'] });
    const reader = app.api(key);
    const { id } = await endOf(account.api, await account.api.exportAccount());
    for (const response of [
      await reader.readJob(id),
      await reader.readJobResult(id),
      await reader.cancelJob(id),
    ]) {
      expectFailure(response, 403, 'FORBIDDEN');
      expect(response.body.error.details).toMatchObject({ requiredScopes: ['*'] });
    }
    await whileNobodyClaims(async () => {
      const uuid = await documentJob(account);
      const seen = (await reader.listJobs()).body;
      expect(seen.data).toMatchObject([{ kind: 'document.export', status: 'queued' }]);
      expect(seen.meta.pagination.total).toBe(1);
      expect((await account.api.listJobs()).body.meta.pagination.total).toBe(2);
      const [{ id: own } = { id: '' }] = seen.data as { id: string }[];
      expect((await reader.readJob(own)).status).toBe(200);
      expect((await reader.cancelJob(own)).status).toBe(200);
      expect(uuid).not.toBe('');
    });
  });

  it('A job is listed without its result if the page would be larger than 8 MiB', async () => {
    const account = await app.account();
    const ids: string[] = [];
    await whileNobodyClaims(async () => {
      for (let n = 0; n < 6; n += 1) ids.unshift(await documentJob(account));
      await app.dataSource.query(
        `UPDATE jobs SET status = 'succeeded', finished_at = created_at, input_file_id = NULL,
                result = json_build_object('text', repeat('x', 2000000)) WHERE account_id = $1`,
        [account.accountId],
      );
    });
    const listed = (await account.api.listJobs()).body.data as ShownJob[];
    expect(listed.map(({ status }) => status)).toEqual(ids.map(() => 'succeeded'));
    expect(listed.map(({ result }) => result !== null)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
    const last = await account.api.readJob(listed[5]?.id ?? '');
    expect((expectSuccess(last) as ShownJob).result).not.toBeNull();
  });

  it('A job is listed newest first, by page and by cursor', async () => {
    const { api } = await app.account();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      app.clock.advance(1_000);
      ids.unshift((await endOf(api, await api.exportAccount())).id);
    }
    const all = await api.listJobs();
    expect((all.body.data as ShownJob[]).map(({ id }) => id)).toEqual(ids);
    const first = await api.listJobs({ limit: 2 });
    const { nextCursor: cursor } = first.body.meta.pagination as { nextCursor: string };
    const second = await api.listJobs({ limit: 2, cursor });
    expect((second.body.data as ShownJob[]).map(({ id }) => id)).toEqual(ids.slice(2, 4));
    expectFailure(await api.listJobs({ limit: 101 }), 400, 'INVALID_REQUEST');
    expectFailure(await api.listJobs({ sort: 'title' }), 400, 'INVALID_REQUEST');
  });

  it('A job is created once with an Idempotency-Key', async () => {
    const { api } = await app.account();
    const key = { 'idempotency-key': randomUUID() };
    const responses = await Promise.all(Array.from({ length: 10 }, () => api.exportAccount(key)));
    const accepted = responses.filter(({ status }) => status === 202);
    expect(new Set(accepted.map(idOf)).size).toBe(1);
    const retried = await api.exportAccount(key);
    expect(idOf(retried)).toBe(accepted[0] && idOf(accepted[0]));
    expect(retried.headers['location']).toBe(accepted[0]?.headers['location']);
    expect((await api.listJobs()).body.meta.pagination.total).toBe(1);
  });

  it('A job leaves an audit entry of who requested it', async () => {
    const { api } = await app.account();
    const { id } = await endOf(api, await api.exportAccount());
    const entries = (await api.list('/v1/audit', { action: 'account.export' })).body.data;
    expect(entries).toMatchObject([{ action: 'account.export', details: { jobId: id } }]);
  });

  it('A job with stored input that does not match its kind fails at once and says why', async () => {
    const account = await app.account();
    const id = await whileNobodyClaims(async () => {
      const uuid = await documentJob(account);
      await app.dataSource.query(`UPDATE jobs SET input = '{"version":1}' WHERE id = $1`, [uuid]);
      return encodeId('job', uuid);
    });
    const job = await jobWhen(account.api, id, ({ finishedAt }) => finishedAt !== null);
    expect(job).toMatchObject({ status: 'failed', error: { code: 'INTERNAL_ERROR' } });
    expect(job.error?.message).toMatch(/does not match its kind document\.export: documentId: /);
  });

  it('A job is refused when a hundred of its kind in the account have not ended', async () => {
    const account = await app.account();
    await whileNobodyClaims(async () => {
      for (let n = 0; n < 99; n += 1) await documentJob(account);
      const more = [documentJob(account), documentJob(account), documentJob(account)];
      const refused = (await Promise.allSettled(more)).filter(
        ({ status }) => status === 'rejected',
      );
      expect(refused).toHaveLength(2);
      await expect(documentJob(account)).rejects.toThrow(
        /100 unfinished jobs of the kind document.export/,
      );
      expect((await account.api.exportAccount()).status).toBe(202);
      expectFailure(await account.api.exportAccount(), 409, 'INVALID_REQUEST');
      await app.dataSource.query('DELETE FROM jobs WHERE account_id = $1', [account.accountId]);
    });
  });
});

async function jobsOf(api: ApiClient, count: number): Promise<ShownJob[]> {
  const jobs = (await api.listJobs()).body.data as ShownJob[];
  expect(jobs).toHaveLength(count);
  return jobs;
}
