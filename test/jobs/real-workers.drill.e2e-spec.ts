import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { makeAccount, type TestAccount } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { openTestDatabase } from '../support/postgres.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { eventually } from '../support/eventually.js';
import { fillDocuments } from '../support/fill.js';
import { endOf, type ShownJob } from '../support/jobs.js';
import { drillCount, isFullDrill } from '../support/drills.js';
import { holdInserts } from './held-inserts.js';

/** Starts the real program several times, possibly on a busy machine. */
jest.setTimeout(300_000);

/** Enough that the file of an export has several chunks. */
const KILLED_DOCUMENTS = drillCount({ small: 100, full: 2_000 });
const KILLED_TEXTS = { kilobytes: 32, compressesWell: false };
const LARGE_DOCUMENTS = drillCount({ small: 400, full: 1_500 });
const LARGE_KILOBYTES = 80;
/** In MB. A job that held the whole archive in memory would need several times as much. */
const MAX_GROWTH_MB = drillCount({ small: 90, full: 150 });

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let service: ServiceProcess;
/** The one that works now. */
let worker: ServiceProcess | undefined;
/** Has the lock of those who index. */
let indexer: pg.Client;
const services: ServiceProcess[] = [];
const SECRETS_KEY = randomBytes(32).toString('base64');
beforeAll(async () => {
  database = await openTestDatabase();
  // Indexing the documents for searches would take longer than the jobs.
  indexer = new pg.Client(database.url);
  await indexer.connect();
  await indexer.query(`SELECT pg_advisory_lock(hashtextextended('search', 0))`);
  service = await start('api');
});
beforeEach(async () => {
  // The first one, or the one that a failed test has killed.
  if (worker?.child.exitCode !== null || worker.child.signalCode !== null)
    worker = await start('worker');
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.end('SIGKILL')));
  await indexer.end();
  await database.drop();
});

async function start(PROCESS_ROLE: string): Promise<ServiceProcess> {
  const service = await startService({ DATABASE_URL: database.url, SECRETS_KEY, PROCESS_ROLE });
  services.push(service);
  return service;
}

/** Creates an account with this many documents of this size in KB, by SQL. */
async function filledAccount(
  documents: number,
  { kilobytes, compressesWell }: { kilobytes: number; compressesWell: boolean },
): Promise<TestAccount> {
  const account = await makeAccount(database.dataSource);
  const words = `31 * ${String(kilobytes)}`;
  await fillDocuments(database.dataSource, account, documents, {
    title: `'Number ' || n`,
    content: compressesWell
      ? `repeat(md5(n::text) || ' ', ${words})`
      : `(SELECT string_agg(md5(n::text || '.' || m::text) || ' ', '') FROM generate_series(1, ${words}) AS m)`,
    metadata: `'{"n":1.0}'`,
    word_count: words,
    created_at: "now() - n * interval '1 second'",
  });
  return account;
}

/** Returns the peak and current memory of the process in MB. */
function memoryOf({ child }: ServiceProcess): { peak: number; now: number } {
  const status = readFileSync(`/proc/${String(child.pid)}/status`, 'utf8');
  const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  return { peak: of('VmHWM'), now: of('VmRSS') };
}

describe('The worker of a real service', () => {
  it('The worker of a real service that is killed in the middle of an export hands it to another one, whose result is the only one', async () => {
    const account = await filledAccount(KILLED_DOCUMENTS, KILLED_TEXTS);
    const api = new ApiClient(service.origin, account.key);
    const chunks = await holdInserts(database.dataSource, 'stored_file_chunks');
    const accepted = await api.exportAccount();
    const { id } = accepted.body.data as ShownJob;
    await chunks.untilAwaited();
    expect((await api.readJob(id)).body.data).toMatchObject({ status: 'running' });
    await worker?.end('SIGKILL');
    await chunks.release();
    worker = await start('worker');
    // Otherwise its lease would end in half a minute.
    await database.dataSource.query('UPDATE jobs SET lease_expires_at = now() WHERE id = $1', [
      decodeId('job', id),
    ]);
    const job = await endOf(api, accepted, 60_000);
    expect(job).toMatchObject({
      status: 'succeeded',
      result: { summary: { counts: { document: KILLED_DOCUMENTS } } },
    });
    const archive = (await api.readJobResult(id)).text;
    const end = archive.lastIndexOf('\n', archive.length - 2) + 1;
    expect(JSON.parse(archive.slice(end))).toMatchObject({
      sha256: createHash('sha256').update(archive.slice(0, end)).digest('hex'),
    });
    const [row] = await database.dataSource.query<{ attempts: number; kept: number }[]>(
      `SELECT attempts, (SELECT count(*)::int FROM stored_files AS file
                          WHERE file.account_id = jobs.account_id AND file.expires_at > now() + interval '1 day') AS kept
         FROM jobs WHERE id = $1`,
      [decodeId('job', id)],
    );
    expect(row).toEqual({ attempts: 2, kept: 1 });
    // The line may still be on its way from the process.
    const successes = () => worker?.log().filter(({ msg }) => msg === 'job succeeded') ?? [];
    expect(await eventually(successes, ({ length }) => length > 0)).toHaveLength(1);
  });

  it('The worker of a real service that is killed in the middle of an import leaves nothing, and another one runs all of it once', async () => {
    const account = await filledAccount(KILLED_DOCUMENTS, KILLED_TEXTS);
    const api = new ApiClient(service.origin, account.key);
    const exported = await endOf(api, await api.exportAccount(), 60_000);
    const archive = (await api.readJobResult(exported.id)).text;
    const target = await makeAccount(database.dataSource);
    const other = new ApiClient(service.origin, target.key);
    // An import writes its entry after all documents, in the same transaction.
    const entriesOfImports = await holdInserts(database.dataSource, 'audit_log');
    const accepted = await other.importAccount(archive);
    const { id } = accepted.body.data as ShownJob;
    await entriesOfImports.untilAwaited();
    await worker?.end('SIGKILL');
    await entriesOfImports.release();
    expect((await other.listDocuments()).body.meta.pagination.total).toBe(0);
    worker = await start('worker');
    await database.dataSource.query('UPDATE jobs SET lease_expires_at = now() WHERE id = $1', [
      decodeId('job', id),
    ]);
    const job = await endOf(other, accepted, 60_000);
    expect(job).toMatchObject({
      status: 'succeeded',
      result: { summary: { imported: { documents: KILLED_DOCUMENTS } } },
    });
    expect((await other.listDocuments()).body.meta.pagination.total).toBe(KILLED_DOCUMENTS);
    const entries = await other.list('/v1/audit', { action: 'account.import' });
    expect(entries.body.data).toHaveLength(1);
  });

  it('The worker of a real service needs little memory whatever the account contains, and blocks no request of its own process', async () => {
    if (isFullDrill) {
      // Index these documents beside the jobs. Documents of the other tests are never indexed.
      await database.dataSource.query('DELETE FROM search_changes');
      await indexer.query('SELECT pg_advisory_unlock_all()');
    }
    const account = await filledAccount(LARGE_DOCUMENTS, {
      kilobytes: LARGE_KILOBYTES,
      compressesWell: true,
    });
    await Promise.all([service.end('SIGKILL'), worker?.end('SIGKILL')]);
    service = await start('all');
    const api = new ApiClient(service.origin, account.key);
    await endOf(api, await api.exportAccount(), 60_000);
    const target = await makeAccount(database.dataSource);
    const other = new ApiClient(service.origin, target.key);
    const before = memoryOf(service).peak;
    const state = { finished: false };
    const work = (async () => {
      const exported = await endOf(api, await api.exportAccount(), 120_000);
      expect(exported.result?.bytes).toBeGreaterThan(LARGE_DOCUMENTS * LARGE_KILOBYTES * 1_000);
      const archive = (await api.readJobResult(exported.id)).text;
      const imported = await endOf(other, await other.importAccount(archive), 120_000);
      expect(imported).toMatchObject({ status: 'succeeded' });
      state.finished = true;
    })();
    const waits: number[] = [];
    const anonymous = new ApiClient(service.origin, undefined);
    while (!state.finished) {
      const started = performance.now();
      expect((await anonymous.send('GET', '/health/live')).status).toBe(200);
      waits.push(performance.now() - started);
      await Promise.race([work, new Promise((resolve) => setTimeout(resolve, 20))]);
    }
    await work;
    waits.sort((one, two) => one - two);
    // If jobs used the same thread, they would delay each of these. A slow machine delays a few.
    expect(waits[Math.floor(waits.length / 2)]).toBeLessThan(50);
    expect(memoryOf(service).peak - before).toBeLessThan(MAX_GROWTH_MB);
  });
});
