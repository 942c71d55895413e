import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { encodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { putPublishing } from '../publishing/publishing-api.js';
import { makeAccount } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { drillCount } from '../support/drills.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { fillDocuments } from '../support/fill.js';
import { openTestDatabase } from '../support/postgres.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { newRelease, publishing, putSchedule } from './releases-api.js';

jest.setTimeout(600_000);

const ACCOUNTS = 3;
/** Of each account: schedules of one document, and releases of several. */
const SCHEDULES = drillCount({ small: 40, full: 80 });
const RELEASES = drillCount({ small: 4, full: 30 });
const RELEASE_SIZE = drillCount({ small: 25, full: 100 });
/** One of the two workers is killed every two seconds, if both start quickly. */
const LIFE_MS = 4_000;
/** All are due within this time. */
const SPAN_MS = drillCount({ small: 20_000, full: 60_000 });
/** Longer than the preparation takes, so that all are scheduled before the first is due. */
const LEAD_MS = drillCount({ small: 30_000, full: 90_000 });
const HOUR_MS = 3_600_000;

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let api: ServiceProcess;
const started: ServiceProcess[] = [];
const SECRETS_KEY = randomBytes(32).toString('base64');

async function start(environment: Record<string, string>): Promise<ServiceProcess> {
  const service = await startService({ DATABASE_URL: database.url, SECRETS_KEY, ...environment });
  started.push(service);
  return service;
}

/** Starts a worker whose machine has a wrong clock, and sets that clock while it runs. */
async function startWorker(shiftMs: number): Promise<ServiceProcess> {
  const worker = await start({
    PROCESS_ROLE: 'worker',
    NODE_OPTIONS: `--import ${join(process.cwd(), 'test/support/shifted-clock.mjs')}`,
    CLOCK_SHIFT_MS: String(shiftMs),
    CLOCK_STEP_MS: String(-2 * shiftMs),
  });
  worker.child.kill('SIGUSR2');
  return worker;
}

beforeAll(async () => {
  database = await openTestDatabase();
  api = await start({ PROCESS_ROLE: 'api' });
});
afterAll(async () => {
  await Promise.all(started.map((process) => process.end('SIGKILL')));
  await database.drop();
});

/** Creates an account with drafts, and schedules all of them. The documents of each release have a tag of their own. */
async function scheduledAccount(firstAt: number) {
  const account = await makeAccount(database.dataSource);
  const client = new ApiClient(api.origin, account.key);
  await putPublishing(client, { enabled: true });
  await fillDocuments(database.dataSource, account, SCHEDULES + RELEASES * RELEASE_SIZE, {
    title: `lpad(n::text, 5, '0')`,
    content: `repeat('Named text. ', 300)`,
    metadata: `json_build_object('tags', json_build_array('r' || (n - 1) / ${String(RELEASE_SIZE)}))`,
  });
  const rows = await database.dataSource.query<{ id: string }[]>(
    'SELECT id FROM documents WHERE account_id = $1 ORDER BY title',
    [account.accountId],
  );
  const documents = rows.map(({ id }) => ({ id: encodeId('document', id) }));
  const count = SCHEDULES + RELEASES;
  for (let index = 0; index < count; index += 1) {
    const publishAt = new Date(firstAt + (SPAN_MS * index) / count).toISOString();
    if (index < RELEASES) {
      const first = index * RELEASE_SIZE;
      const items = documents.slice(first, first + RELEASE_SIZE).map((one) => publishing(one));
      await newRelease(client, { publishAt, items });
    } else {
      const document = documents[RELEASES * (RELEASE_SIZE - 1) + index] ?? { id: '' };
      expectSuccess(await putSchedule(client, document, { publishAt }));
    }
  }
  // What is published is the version that was scheduled.
  const operations = documents
    .slice(0, 50)
    .map(({ id }) => ({ op: 'update', id, patch: { content: 'Later text.' } }));
  expectSuccess(await client.batchDocuments({ operations }));
  return client;
}

describe('scheduled releases while two workers are killed every two seconds', () => {
  it('are each published once, never early, and wholly or not at all', async () => {
    const workers = await Promise.all(
      [HOUR_MS, -HOUR_MS].map(async (shiftMs) => ({
        service: await startWorker(shiftMs),
        shiftMs,
      })),
    );
    const firstAt = Date.now() + LEAD_MS;
    const clients = await Promise.all(
      Array.from({ length: ACCOUNTS }, () => scheduledAccount(firstAt)),
    );
    const { dataSource } = database;
    const count = async (condition: string) => {
      const [row] = await dataSource.query<{ n: number }[]>(
        `SELECT count(*)::integer AS n FROM releases WHERE ${condition}`,
      );
      return row?.n ?? 0;
    };
    const all = ACCOUNTS * (SCHEDULES + RELEASES);
    expect(await count(`status = 'scheduled' AND publish_at > clock_timestamp()`)).toBe(all);

    let isRunning = true;
    let kills = 0;
    await pause(firstAt - Date.now());
    const killing = workers.map(async ({ service, shiftMs }, index) => {
      await pause((index * LIFE_MS) / workers.length);
      for (let worker = service; isRunning; worker = await startWorker(shiftMs)) {
        await pause(LIFE_MS);
        await worker.end('SIGKILL');
        kills += 1;
      }
    });
    /** Numbers of published documents of one release that readers saw. */
    const seen = new Set<number>();
    const reading = clients.map(async (client) => {
      for (let n = 0; isRunning; n += 1) {
        const query = `perspective=published&tag=r${String(n % RELEASES)}&limit=100`;
        const listed = await client.send('GET', `/v1/documents?${query}`);
        seen.add((expectSuccess(listed) as object[]).length);
        await pause(20);
      }
    });
    try {
      await eventually(
        () => count(`status <> 'scheduled'`),
        (ended) => ended === all,
        300_000,
      );
    } finally {
      isRunning = false;
      await Promise.all([...killing, ...reading]);
    }

    expect(kills).toBeGreaterThan(2);
    expect([...seen].sort((one, other) => one - other)).toEqual([0, RELEASE_SIZE]);
    expect(await count(`status = 'published' AND version = 2`)).toBe(all);
    const [early] = await dataSource.query<Record<string, number>[]>(
      `SELECT count(*) FILTER (WHERE release.finished_at < release.publish_at)::integer AS releases,
              count(*) FILTER (WHERE history.published_at < release.publish_at)::integer AS documents,
              count(*) FILTER (WHERE event.created_at < release.publish_at)::integer AS events
         FROM releases AS release JOIN release_items AS item ON item.release_id = release.id
         JOIN publication_history AS history ON history.document_id = item.document_id
         JOIN events AS event ON event.subject_id = item.document_id AND event.type = 'document.published'`,
    );
    expect(early).toEqual({ releases: 0, documents: 0, events: 0 });
    const [done] = await dataSource.query<Record<string, number>[]>(
      `SELECT (SELECT count(*)::integer FROM publication_history) AS history,
              (SELECT count(*)::integer FROM publications WHERE content LIKE 'Named text. %') AS publications,
              (SELECT count(*)::integer FROM documents WHERE status = 'published') AS documents,
              (SELECT count(*)::integer FROM release_items WHERE outcome = 'published') AS items,
              (SELECT count(*)::integer FROM events WHERE type = 'document.published') AS "eventsOfDocuments",
              (SELECT count(*)::integer FROM events WHERE type = 'release.published') AS "eventsOfReleases",
              (SELECT count(*)::integer FROM audit_log WHERE action = 'release.publish') AS entries`,
    );
    const documents = ACCOUNTS * (SCHEDULES + RELEASES * RELEASE_SIZE);
    expect(done).toEqual({
      history: documents,
      publications: documents,
      documents,
      items: documents,
      eventsOfDocuments: documents,
      eventsOfReleases: all,
      entries: all,
    });
  });
});
