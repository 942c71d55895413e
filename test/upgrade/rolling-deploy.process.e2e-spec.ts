import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { printed, runCli } from '../cli/run-cli.js';
import { runOn, type TestDatabase } from '../support/postgres.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { buildCommit, commitOf } from './build-commit.js';
import { call, CallError, serviceSettings } from './release-content.js';
import { releases } from './releases.js';
import { restoreRelease } from './restored-release.js';

const CLIENTS = 2;
/** Minimum number of documents that each client writes in each phase. */
const ROUNDS = 15;

const ownMigrations = Object.keys(
  JSON.parse(readFileSync('src/migrations/checksums.json', 'utf8')) as object,
);
/** The newest release with fewer migrations than this checkout. */
const previous = releases().findLast(
  ({ checksums }) => Object.keys(checksums).length < ownMigrations.length,
);
const commit = previous && commitOf(previous);
const build = commit && buildCommit(commit);
if (previous && build === undefined) {
  process.stderr.write(
    `Skipped: the rolling deploy from ${previous.version}, because this checkout has neither the commit ${previous.commit} nor another one with its migrations. Fetch the whole history to run it.\n`,
  );
}
const describeWithHistory = previous && build !== undefined ? describe : describe.skip;

describeWithHistory('A rolling deploy from the previous release', () => {
  const { folder, content } = previous as NonNullable<typeof previous>;
  const program = join(build ?? '', 'main.js');
  let database: TestDatabase;
  let receiver: WebhookReceiver;
  let settings: Record<string, string>;
  let running: ServiceProcess[];
  let written: string[];

  beforeEach(async () => {
    running = [];
    written = [];
    database = await restoreRelease(folder);
    receiver = await WebhookReceiver.start();
    await runOn(database.url, `UPDATE webhooks SET url = '${receiver.url}'`);
    settings = serviceSettings(database.url, content.secretsKey);
  }, 180_000);
  afterEach(async () => {
    for (const service of running) await service.end();
    await receiver.close();
    await database.drop();
  }, 180_000);
  afterAll(() => {
    if (build !== undefined) rmSync(join(build, '..'), { recursive: true });
  });

  async function start(role: string, of?: string): Promise<ServiceProcess> {
    const service = await startService({ ...settings, PROCESS_ROLE: role }, of);
    running.push(service);
    return service;
  }

  /** Sends a request as our client does: retries a 503 once, because a change may wait for a migration. */
  async function send(service: ServiceProcess, method: string, path: string, body?: unknown) {
    const request = (): Promise<unknown> => call(service, content.apiKey, method, path, body);
    return request().catch(async (error: unknown) => {
      if (!(error instanceof CallError) || error.status !== 503) throw error;
      await setTimeout(error.retryAfterSeconds * 1000);
      return request();
    });
  }

  /** Creates, reads, updates and lists documents until `work` is done. Rejects when a request fails. */
  async function during<Result>(
    services: ServiceProcess[],
    work: () => Promise<Result>,
  ): Promise<Result> {
    let isDone = false as boolean;
    const client = async (service: ServiceProcess) => {
      for (let round = 0; round < ROUNDS || !isDone; round += 1) {
        const { id } = (await send(service, 'POST', '/documents', {
          title: 'Rolling',
          content: 'One.',
        })) as { id: string };
        written.push(id);
        await send(service, 'PATCH', `/documents/${id}`, {
          content: `Two, round ${String(round)}.`,
        });
        expect(await send(service, 'GET', `/documents/${id}`)).toMatchObject({ version: 2 });
        await send(service, 'GET', '/documents?limit=5&q=round');
      }
    };
    const clients = services.flatMap((service) =>
      Array.from({ length: CLIENTS }, () => client(service)),
    );
    const result = await Promise.all([work().finally(() => (isDone = true)), ...clients]);
    return result[0];
  }

  it('loses no request and no delivery while old and new processes serve the new schema', async () => {
    const oldApi = await start('api', program);
    const oldWorker = await start('worker', program);
    await call(oldApi, content.apiKey, 'PATCH', `/webhooks/${content.webhook.id}`, {
      events: ['document.created', 'document.updated'],
    });

    await during([oldApi], async () => {
      const migrated = await runCli(settings, 'migrate');
      expect(migrated).toMatchObject({ exitCode: 0, stderr: '' });
    });
    const newApi = await during([oldApi], () => start('api'));
    await during([oldApi, newApi], () => start('worker'));
    expect((await fetch(`${oldApi.origin}/health/ready`)).status).toBe(200);
    const ended = await during([newApi], async () => [await oldApi.end(), await oldWorker.end()]);
    expect(ended).toEqual([0, 0]);

    expect(written.length).toBeGreaterThanOrEqual(5 * CLIENTS * ROUNDS);
    const told = (type: string) =>
      new Set(
        receiver.received
          .filter(({ event }) => event.type === type)
          .map(({ event }) => event.data.document.id as string),
      );
    await receiver.until(
      () =>
        written.every((id) => told('document.created').has(id)) &&
        written.every((id) => told('document.updated').has(id)),
      90_000,
    );
    const verifier = new StandardWebhook(content.webhook.secret);
    for (const { text, headers } of receiver.received) verifier.verify(text, headers);
    const errors = running.flatMap((service) =>
      service.log().filter(({ level }) => level === 'error'),
    );
    expect(errors).toEqual([]);
    const states = printed(await runCli(settings, 'migrate:status', '--json')) as object[];
    expect(states.every((status) => 'state' in status && status.state === 'applied')).toBe(true);
  }, 400_000);
});
