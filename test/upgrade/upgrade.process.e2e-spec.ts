import { Webhook as StandardWebhook } from 'standardwebhooks';
import { expectRefusal, printed, runCli } from '../cli/run-cli.js';
import { runOn, type TestDatabase } from '../support/postgres.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { call, serviceSettings, until } from './release-content.js';
import { releases } from './releases.js';
import { restoreRelease } from './restored-release.js';

const [before100, ...supported] = releases();

it('A database from before 1.0.0 is refused with one sentence', async () => {
  const database = await restoreRelease(before100?.folder ?? '');
  try {
    expectRefusal(
      await runCli({ DATABASE_URL: database.url }, 'migrate'),
      /was created by a build from before release 1\.0\.0 .*: export its accounts/,
    );
  } finally {
    await database.drop();
  }
});

describe.each(supported)('A database of $version', ({ folder, content }) => {
  const { apiKey, edited, analyzed, webhook, undelivered } = content;
  let database: TestDatabase;
  let settings: Record<string, string>;
  let api: ServiceProcess;
  const send = (method: string, path: string, body?: unknown) =>
    call(api, apiKey, method, path, body);

  beforeAll(async () => {
    database = await restoreRelease(folder);
    settings = serviceSettings(database.url, content.secretsKey);
    await runCli(settings, 'migrate');
    api = await startService({ ...settings, PROCESS_ROLE: 'api' });
  }, 180_000);
  afterAll(async () => {
    await api.end();
    await database.drop();
  });

  it('has all migrations after the upgrade', async () => {
    const states = printed(await runCli(settings, 'migrate:status', '--json')) as object[];
    expect(states.every((status) => 'state' in status && status.state === 'applied')).toBe(true);
  });

  it('still has its documents, versions, analyses and templates', async () => {
    expect(await send('GET', `/documents/${edited.id}`)).toMatchObject({
      content: edited.content,
      version: edited.version,
      status: 'published',
      metadata: { tags: [edited.tag] },
    });
    const versions = (await send('GET', `/documents/${edited.id}/versions`)) as unknown[];
    expect(versions).toHaveLength(edited.version);
    expect(await send('GET', `/documents/${edited.id}/versions/1`)).toMatchObject({
      content: 'First draft.',
    });
    expect(
      await send('GET', `/documents/${analyzed.id}/analyses/${analyzed.analysisId}`),
    ).toMatchObject({ id: analyzed.analysisId, documentId: analyzed.id });
    expect(await send('GET', '/templates')).toContainEqual(
      expect.objectContaining({ name: 'Letter' }),
    );
  });

  it('can be searched, changed and counted', async () => {
    const found = (await send('GET', `/documents?q=${edited.word}`)) as { id: string }[];
    expect(found.map(({ id }) => id)).toEqual([edited.id]);
    const before = (await send('GET', '/documents?limit=100')) as unknown[];
    const { id } = await send('POST', '/documents', { title: 'After the upgrade' });
    await send('PATCH', `/documents/${id}`, { content: 'Changed.' });
    expect(await send('GET', '/documents?limit=100')).toHaveLength(before.length + 1);
    await send('DELETE', `/documents/${id}`);
  });

  it('decrypts its secrets, and delivers what was in flight, signed, to the receiver', async () => {
    const receiver = await WebhookReceiver.start();
    // By SQL, because a webhook loses its stored headers if its address changes through the API.
    await runOn(database.url, `UPDATE webhooks SET url = '${receiver.url}'`);
    const worker = await startService({ ...settings, PROCESS_ROLE: 'worker' });
    try {
      const titles = () =>
        receiver.received.map(({ event }) => event.data.document.title as string);
      await receiver.until(
        () => Object.values(undelivered).every((title) => titles().includes(title)),
        60_000,
      );
      const verifier = new StandardWebhook(webhook.secret);
      const [name, value] = webhook.header;
      for (const { text, headers } of receiver.received) {
        expect(verifier.verify(text, headers)).toBeTruthy();
        expect(headers[name]).toBe(value);
      }
      await until('the deliveries to be recorded', async () => {
        const pending = (await send(
          'GET',
          `/webhooks/${webhook.id}/deliveries?status=pending`,
        )) as unknown[];
        return pending.length === 0 ? true : undefined;
      });
    } finally {
      await worker.end();
      await receiver.close();
    }
  }, 180_000);
});
