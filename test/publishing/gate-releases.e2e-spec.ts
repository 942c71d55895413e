import { ReleaseChecks } from '../../src/features/releases/release-checks.js';
import { ReleaseExecution } from '../../src/features/releases/release-execution.js';
import {
  actOn,
  HOUR_MS,
  inHours,
  newRelease,
  previewOf,
  publishing,
  putSchedule,
  readRelease,
  type Schedule,
} from '../releases/releases-api.js';
import type { ApiClient } from '../support/api-client.js';
import type { TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import {
  analyzedDocument,
  gatedAccount,
  GateProvider,
  GOOD,
  isLive,
  startGateApp,
  WRONG,
} from './gate-api.js';
import { newDocument, patched, type PublishedDocument } from './publishing-api.js';

const MINUTE_MS = 60_000;
const NO_ERRORS = { checks: { errors: 0 } };

const provider = new GateProvider();
let app: TestApp;
beforeAll(async () => {
  app = await startGateApp(provider);
});
afterAll(() => app.close());

/** Orders missing analyses, as a worker does. */
async function orderAnalyses(): Promise<void> {
  const task = app.app.get(ReleaseChecks, { strict: false });
  while (await task.runBatch());
}

/** Publishes what is due, and what waits to be tried again. */
async function publishDue(): Promise<void> {
  await app.dataSource.query(`UPDATE releases SET due_at = publish_at WHERE status = 'scheduled'`);
  await app.app.get(ReleaseExecution, { strict: false }).runBatch();
}

const analysesOf = async (api: ApiClient, { id }: { id: string }) =>
  expectSuccess(await api.send('GET', `/v1/documents/${id}/analyses`)) as {
    documentVersion: number;
  }[];

const analyzedTimes = (api: ApiClient, document: { id: string }, times: number) =>
  eventually(
    () => analysesOf(api, document),
    ({ length }) => length === times,
  );

const scheduled = (api: ApiClient, ...documents: PublishedDocument[]) =>
  newRelease(api, {
    publishAt: inHours(app, 1),
    items: documents.map((document) => publishing(document)),
  });

describe('a release by hand', () => {
  it('is refused with the problems of each document, publishes nothing and orders missing analyses', async () => {
    const { api } = await gatedAccount(app, NO_ERRORS);
    const wrong = await analyzedDocument(api, WRONG);
    const good = await newDocument(api, { title: 'Good', content: GOOD });
    const release = await newRelease(api, { items: [publishing(good), publishing(wrong)] });
    const preview = await previewOf(api, release);
    const problems = new Map(preview.map((item) => [item.id, item.problems]));
    expect(problems.get(good.id)).toMatchObject([{ check: 'analysis_missing' }]);
    expect(problems.get(wrong.id)).toMatchObject([
      { check: 'errors', analysisId: expect.any(String) },
    ]);
    const refused = await actOn(api, release, 'publish');
    expectFailure(refused, 409, 'INVALID_REQUEST');
    expect(refused.body.error.details).toMatchObject({
      reason: 'items',
      items: [
        { id: good.id, problems: [{ check: 'analysis_missing' }] },
        { id: wrong.id, problems: [{ check: 'errors' }] },
      ],
    });
    expect(await isLive(api, good)).toBe(false);
    await analyzedTimes(api, good, 1);
    const other = await newRelease(api, { items: [publishing(good)] });
    expect(expectSuccess(await actOn(api, other, 'publish'))).toMatchObject({
      status: 'published',
    });
    expect(await isLive(api, good)).toBe(true);
  });
});

describe('a scheduled release', () => {
  it('gets its analyses after it was scheduled, of the version that it publishes', async () => {
    const { api } = await gatedAccount(app, NO_ERRORS);
    const document = await newDocument(api, { title: 'Text', content: GOOD });
    const release = await scheduled(api, document);
    await patched(api, document, { content: WRONG });
    await orderAnalyses();
    expect(await analyzedTimes(api, document, 1)).toMatchObject([{ documentVersion: 1 }]);
    app.clock.advance(HOUR_MS);
    await publishDue();
    expect(await readRelease(api, release)).toMatchObject({ status: 'published' });
  });

  it('gets new analyses 10 minutes before it is due, once', async () => {
    const { api } = await gatedAccount(app, NO_ERRORS);
    const document = await newDocument(api, { title: 'Text', content: GOOD });
    const release = await scheduled(api, document);
    await orderAnalyses();
    await analyzedTimes(api, document, 1);
    expectSuccess(await api.send('POST', '/v1/dictionary/add', { body: { words: ['miaow'] } }));
    app.clock.advance(HOUR_MS - 11 * MINUTE_MS);
    await orderAnalyses();
    expect(await analysesOf(api, document)).toHaveLength(1);
    app.clock.advance(2 * MINUTE_MS);
    await orderAnalyses();
    await analyzedTimes(api, document, 2);
    app.clock.advance(9 * MINUTE_MS);
    await publishDue();
    expect(await readRelease(api, release)).toMatchObject({ status: 'published' });
  });

  it('waits for a missing analysis, which it orders', async () => {
    const { api } = await gatedAccount(app, NO_ERRORS);
    const document = await newDocument(api, { title: 'Text', content: GOOD });
    const release = await scheduled(api, document);
    app.clock.advance(HOUR_MS);
    const end = provider.hold();
    await publishDue();
    expect(await readRelease(api, release)).toMatchObject({ status: 'scheduled', version: 1 });
    expect(await isLive(api, document)).toBe(false);
    const [row] = await app.dataSource.query(
      `SELECT due_at > publish_at AS postponed FROM releases WHERE status = 'scheduled'`,
    );
    expect(row).toEqual({ postponed: true });
    end();
    await analyzedTimes(api, document, 1);
    await publishDue();
    expect(await readRelease(api, release)).toMatchObject({ status: 'published' });
  });

  it('fails if the analysis is missing for 10 minutes', async () => {
    const { api } = await gatedAccount(app, NO_ERRORS);
    const document = await newDocument(api, { title: 'Text', content: GOOD });
    const release = await scheduled(api, document);
    const end = provider.hold();
    app.clock.advance(HOUR_MS + 10 * MINUTE_MS - 1);
    await publishDue();
    expect(await readRelease(api, release)).toMatchObject({ status: 'scheduled' });
    app.clock.advance(1);
    await publishDue();
    end();
    expect(await readRelease(api, release)).toMatchObject({
      status: 'failed',
      items: [{ outcome: null, problems: [{ check: 'analysis_missing' }] }],
    });
    expect(await isLive(api, document)).toBe(false);
  });

  it('fails at once because of a rule that was activated after the analysis, and publishes nothing', async () => {
    const { api } = await gatedAccount(app);
    const good = await analyzedDocument(api, GOOD);
    const wrong = await analyzedDocument(api, WRONG);
    const release = await scheduled(api, good, wrong);
    expectSuccess(
      await api.send('PUT', '/v1/publishing', { body: { enabled: true, rules: [NO_ERRORS] } }),
    );
    app.clock.advance(HOUR_MS);
    await publishDue();
    const failed = await readRelease(api, release);
    expect(failed).toMatchObject({
      status: 'failed',
      items: [
        { id: good.id, outcome: null, problems: [] },
        { id: wrong.id, outcome: null, problems: [{ check: 'errors' }] },
      ],
    });
    expect(await isLive(api, good)).toBe(false);
    const [event] = expectSuccess(await api.send('GET', '/v1/events?type=release.failed')) as {
      data: { release: object };
    }[];
    expect(event?.data.release).toEqual(failed);
  });

  it('of one document is refused in the same way', async () => {
    const { api } = await gatedAccount(app, NO_ERRORS);
    const document = await analyzedDocument(api, WRONG);
    const { publish } = expectSuccess(
      await putSchedule(api, document, { publishAt: inHours(app, 1) }),
    ) as Schedule;
    app.clock.advance(HOUR_MS);
    await publishDue();
    expect(await readRelease(api, publish)).toMatchObject({
      status: 'failed',
      items: [{ problems: [{ check: 'errors' }] }],
    });
  });
});
