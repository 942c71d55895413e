import { DocumentService, JobFailedError, TimeoutError } from '@document-service/client';
import { startTestApp, type TestApp } from '../support/app.js';

/** The first analysis of a process loads the engine. */
const PATIENCE_MS = 240_000;
const SENTENCE = 'We recieve teh report, and the committee looks at it tomorrow. ';
/** Texts of more than 64 KiB are always analyzed by a job. Code is not analyzed, which saves half a minute. */
const LONG = `${SENTENCE}\n\n\`\`\`\n${'committee.look(report, tomorrow);\n'.repeat(2_000)}\`\`\`\n`;

const thrownBy = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => undefined,
    (error: unknown) => error,
  );

async function clientOf(app: TestApp): Promise<DocumentService> {
  const { key } = await app.account();
  return new DocumentService({ baseUrl: app.origin, apiKey: key });
}

describe('the TypeScript client, with a worker', () => {
  let app: TestApp;
  let client: DocumentService;
  beforeAll(async () => {
    app = await startTestApp({ stopClock: false, environment: { PROCESS_ROLE: 'all' } });
    client = await clientOf(app);
    await client.analysis.analyzeAndWait({ content: 'Warm.' });
  }, PATIENCE_MS);
  afterAll(() => app.close());

  it.each([
    ['a short text', SENTENCE],
    ['a long text', LONG],
  ])(
    'the TypeScript client, with a worker analyzes, enhances and applies the safe suggestions of %s',
    async (_, content) => {
      const { id } = await client.documents.create({ title: 'Report', content });
      const analysis = await client.documents.analyzeAndWait(id);
      expect(analysis).toMatchObject({ documentId: id, documentVersion: 1, status: 'completed' });
      expect(analysis.issues.map(({ original }) => original)).toContain('teh');

      const enhancement = await client.documents.enhanceAndWait(id);
      expect(enhancement).toMatchObject({ documentId: id, status: 'proposed' });
      const safe = enhancement.suggestions.filter((suggestion) => suggestion.safe);
      expect(safe.length).toBeGreaterThan(0);
      const applied = await client.documents.enhancements.applySafe(id, enhancement.id);
      expect(applied).toMatchObject({ documentVersion: 2, conflicts: [] });
      expect(applied.suggestionCounts.accepted).toBe(safe.length);
      const document = await client.documents.get(id);
      expect(document.content.startsWith('We receive')).toBe(true);
      const again = await client.documents.enhancements.applySafe(id, enhancement.id);
      expect(again.documentVersion).toBe(2);
    },
    PATIENCE_MS,
  );

  it('the TypeScript client, with a worker applies the chosen suggestions only', async () => {
    const { id } = await client.documents.create({ title: 'Report', content: SENTENCE });
    const { id: enhancementId, suggestions } = await client.documents.enhanceAndWait(id, {
      checks: ['spelling'],
    });
    const [first] = suggestions;
    const chosen = { suggestionIds: [first?.id ?? ''] };
    const applied = await client.documents.enhancements.apply(id, enhancementId, chosen);
    expect(applied.suggestionCounts).toMatchObject({ accepted: 1, open: suggestions.length - 1 });
    expect((await client.documents.get(id)).content).toContain('We receive teh report');
  });

  it(
    'the TypeScript client, with a worker analyzes a text that is not stored, short or long',
    async () => {
      for (const content of [SENTENCE, LONG]) {
        const { issues } = await client.analysis.analyzeAndWait({ content });
        expect(issues.map(({ original }) => original)).toContain('teh');
      }
    },
    PATIENCE_MS,
  );
});

describe('the TypeScript client, while no worker runs', () => {
  let app: TestApp;
  let client: DocumentService;
  let id: string;
  beforeAll(async () => {
    app = await startTestApp({ stopClock: false, environment: { PROCESS_ROLE: 'api' } });
    client = await clientOf(app);
    ({ id } = await client.documents.create({ title: 'Report', content: LONG }));
  });
  afterAll(() => app.close());

  it('the TypeScript client, while no worker runs stops waiting after maxWaitMs, with an error that names the job', async () => {
    const error = await thrownBy(client.documents.enhanceAndWait(id, {}, { maxWaitMs: 300 }));
    expect(error).toBeInstanceOf(TimeoutError);
    const [, jobId = ''] =
      /^The job (job_\w+) is still queued after 300 ms\. To wait longer, call jobs\.wait\('\1'\)\.$/.exec(
        (error as Error).message,
      ) ?? [];
    expect(await client.jobs.get(jobId)).toMatchObject({ kind: 'document.enhance' });
  });

  it('the TypeScript client, while no worker runs stops waiting when the signal aborts, and leaves the job alone', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    const waiting = thrownBy(
      client.documents.analyzeAndWait(id, {}, { signal: controller.signal }),
    );
    setTimeout(() => {
      controller.abort(reason);
    }, 300);
    expect(await waiting).toBe(reason);
    const [job] = (await client.jobs.list()).data;
    expect(job).toMatchObject({ kind: 'document.analyze', status: 'queued' });
  });

  it('the TypeScript client, while no worker runs throws JobFailedError with the job when the job is cancelled', async () => {
    const { id: jobId } = await client.account.export();
    const waiting = thrownBy(client.jobs.wait(jobId));
    await client.jobs.cancel(jobId);
    const error = await waiting;
    expect(error).toBeInstanceOf(JobFailedError);
    expect((error as Error).message).toBe(`The job ${jobId} was cancelled.`);
    expect((error as JobFailedError).job).toMatchObject({ id: jobId, status: 'cancelled' });
  });
});
