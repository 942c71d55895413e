import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { ApiClient } from '../support/api-client.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { expectRefusal, printed, runCli } from './run-cli.js';

/** Each command starts a new process, and most also start a database. */
jest.setTimeout(240_000);

let folder: string;
let database: TestDatabase;
let service: ServiceProcess | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'document-service-backup-'));
  database = await createTestDatabase();
});
afterEach(() => service?.end());
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await database.drop();
});

const path = (name: string) => join(folder, name);
const on = (dataDir: string, ...args: string[]) => runCli({ DATA_DIR: path(dataDir) }, ...args);
const onServer = (...args: string[]) => runCli({ DATABASE_URL: database.url }, ...args);

async function start(dataDir: string): Promise<ServiceProcess> {
  service = await startService({
    DATA_DIR: path(dataDir),
    NODE_ENV: 'development',
    WEBHOOK_RETRY_SCHEDULE: '0,3600',
    WEBHOOK_ALLOW_HTTP: 'true',
  });
  return service;
}

/** The entries of a backup by name. */
async function entriesOf(file: string): Promise<Record<string, string>> {
  const archive = extract();
  archive.end(gunzipSync(await readFile(file)));
  const entries: Record<string, string> = {};
  for await (const entry of archive) entries[entry.header.name] = String(await buffer(entry));
  return entries;
}

interface Demo {
  accountId: string;
  key: string;
  documents: number;
}

describe('backup and restore', () => {
  let demo: Demo;

  it('backup and restore restore everything into an empty installation byte for byte, including secrets, from a backup of a running service', async () => {
    const first = await start('first');
    demo = printed(await on('first', 'demo', '--documents', '60', '--json')) as Demo;
    const api = new ApiClient(first.origin, demo.key);
    const listed = await api.listDocuments({ limit: 100 });
    // The others are in the trash.
    expect(listed.body.data).toHaveLength(57);
    await on('first', 'backup', path('one.backup'));
    await first.end();
    const restored = printed(await on('second', 'restore', path('one.backup'), '--json')) as {
      rows: Record<string, number>;
    };
    expect(restored.rows).toMatchObject({ documents: 60, webhooks: 2 });
    await on('second', 'backup', path('two.backup'));
    const [one, two] = await Promise.all(
      ['one.backup', 'two.backup'].map((name) => entriesOf(path(name))),
    );
    expect({ ...two, 'manifest.json': '' }).toEqual({ ...one, 'manifest.json': '' });
    expect((await stat(path('one.backup'))).mode & 0o777).toBe(0o600);
    const second = await start('second');
    const again = new ApiClient(second.origin, demo.key);
    expect((await again.listDocuments({ limit: 100 })).body.data).toEqual(listed.body.data);
    // A delivery is signed with the webhook's secret, which only the key of the first installation can decrypt.
    const webhooks = (await again.listWebhooks()).body.data as { id: string; url: string }[];
    // Backups contain neither test receivers nor tokens for sending to them.
    const responded = webhooks.find(({ url }) => url.endsWith('/dashboard/receivers/REDACTED'));
    expect(restored.rows).toMatchObject({ test_receivers: 0, received_deliveries: 0 });
    const receiver = await WebhookReceiver.start();
    await again.send('PATCH', `/v1/webhooks/${responded?.id ?? ''}`, {
      body: { url: receiver.url },
    });
    printed(await on('second', 'accounts', 'plan', demo.accountId, 'enterprise', '--json'));
    await eventually(async () => {
      const delivered = await again.listDeliveries(responded?.id ?? '', { status: 'succeeded' });
      return (expectSuccess(delivered) as unknown[]).length > 0;
    });
  });

  it('backup and restore refuse a database that is not empty, unless --replace is given', async () => {
    expectRefusal(
      await on('second', 'restore', path('one.backup')),
      /^The database is not empty: it has \d accounts?\..*--replace\.\n$/,
    );
    await on('second', 'keys', 'create', '--email', 'late@example.com');
    await on('second', 'restore', path('one.backup'), '--replace');
    const users = printed(await on('second', 'users', 'list', '--json')) as { email: string }[];
    expect(users.map(({ email }) => email)).not.toContain('late@example.com');
  });

  it("replace a running service's data only if both have the same secrets key", async () => {
    const third = await start('third');
    const { key } = printed(
      await on('third', 'keys', 'create', '--email', 'third@example.com', '--json'),
    ) as { key: string };
    const api = new ApiClient(third.origin, key);
    expectRefusal(
      await on('third', 'restore', path('one.backup'), '--replace'),
      /^The service that runs on .*third uses a different secrets key than the backup\. Stop the service, .*Nothing was restored\.\n$/,
    );
    expect((await api.createDocument({ title: 'still here' })).status).toBe(201);
    await on('third', 'backup', path('third.backup'));
    await api.createDocument({ title: 'late' });
    await on('third', 'restore', path('third.backup'), '--replace');
    const titles = (await api.listDocuments()).body.data as { title: string }[];
    expect(titles.map(({ title }) => title)).toEqual(['still here']);
    expect((await api.createDocument({ title: 'later' })).status).toBe(201);
    await third.end();
    await on('third', 'restore', path('one.backup'), '--replace');
    const restored = await start('third');
    const listed = await new ApiClient(restored.origin, demo.key).listDocuments();
    expect(listed.body.meta.pagination?.total).toBe(57);
  });

  it('backup and restore restore nothing from a file that is truncated, altered, from another build or not a backup', async () => {
    const whole = await readFile(path('one.backup'));
    const restore = async (content: Buffer | string) => {
      await writeFile(path('other.backup'), content);
      return onServer('restore', path('other.backup'));
    };
    for (const part of [0.1, 0.5, 0.99]) {
      expectRefusal(
        await restore(whole.subarray(0, whole.length * part)),
        /is damaged: .*Nothing was restored/,
      );
    }
    const altered = Buffer.from(whole);
    const middle = altered.length >> 1;
    altered.writeUInt8(altered.readUInt8(middle) ^ 0xff, middle);
    expectRefusal(await restore(altered), /is damaged: .*Nothing was restored/);
    for (const other of ['', 'text', whole.subarray(20)]) {
      expectRefusal(await restore(other), /is (not a backup|damaged)/);
    }
    expectRefusal(
      await on('fourth', 'restore', path('nowhere')),
      /^There is no file .*nowhere\.\n$/,
    );
    expectRefusal(await on('fourth', 'restore', folder), / is not a file: specify one /);
    expect(existsSync(path('fourth'))).toBe(false);
    expect(printed(await onServer('accounts', 'list', '--json'))).toEqual([]);
  });

  it('backup and restore move an embedded database to a server, and say where its key is', async () => {
    const { exitCode, stderr } = await onServer('restore', path('one.backup'));
    expect([exitCode, stderr]).toEqual([
      0,
      `Start the service with the SECRETS_KEY in the backup: tar -xzOf ${path('one.backup')} secrets.key\n`,
    ]);
    printed(await onServer('backup', path('server.backup'), '--json'));
    const [one, server] = await Promise.all(
      ['one.backup', 'server.backup'].map((name) => entriesOf(path(name))),
    );
    delete one?.['secrets.key'];
    expect({ ...server, 'manifest.json': '' }).toEqual({ ...one, 'manifest.json': '' });
  });

  it('backup and restore never overwrite a file, and say why a file cannot be written', async () => {
    await truncate(path('other.backup'));
    expectRefusal(await on('second', 'backup', path('other.backup')), /already exists/);
    expect((await stat(path('other.backup'))).size).toBe(0);
    expectRefusal(await on('second', 'backup', path('no/such/folder')), /^Cannot write .*ENOENT/);
  });
});
