import type { UsageDto } from '../../src/features/usage/dto/usage.dto.js';
import { randomBytes, randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { PLAN_QUOTAS } from '../../src/features/usage/quotas/plan-quotas.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { fillStorage } from '../support/fill.js';
import { endOf, exportedArchive } from '../support/jobs.js';
import { recordsIn } from './account-state.js';
import { sealed, type ArchiveRecord } from './tampering.js';

const MIB = 1024 ** 2;
const LIMIT = PLAN_QUOTAS.free.storageBytes ?? 0;

let app: TestApp;
let archive: string;
let records: ArchiveRecord[];
beforeAll(async () => {
  app = await startTestApp({
    environment: { PROCESS_ROLE: 'all', LOG_LEVEL: 'silent' },
    stopClock: false,
  });
  const { api } = await app.account();
  const { body } = await api.createDocument({ title: 'One', content: 'a' });
  await api.patchDocument((body.data as { id: string }).id, { content: 'b' });
  archive = await exportedArchive(api);
  records = recordsIn(archive);
});
afterAll(() => app.close());

type Account = Awaited<ReturnType<TestApp['account']>>;

/** Returns the numbers of files and chunks of the account, removed ones excluded. */
async function storedOf(accountId: string): Promise<{ files: number; chunks: number }> {
  const [row] = await app.dataSource.query<{ files: number; chunks: number }[]>(
    `SELECT count(DISTINCT file.id)::int AS files, count(chunk.number)::int AS chunks
       FROM stored_files AS file LEFT JOIN stored_file_chunks AS chunk ON chunk.file_id = file.id
      WHERE account_id = $1`,
    [accountId],
  );
  return row ?? { files: 0, chunks: 0 };
}

const NOTHING = { files: 0, chunks: 0 };
const header = () => `${archive.split('\n')[0] ?? ''}\n`;

/** Lines that cannot be compressed. */
async function* noise(bytes: number, first = ''): AsyncGenerator<Buffer> {
  if (first !== '') yield Buffer.from(first);
  for (let sent = 0; sent < bytes; sent += MIB) {
    const piece = randomBytes(Math.min(MIB, bytes - sent));
    for (let at = piece.indexOf(0x0a); at !== -1; at = piece.indexOf(0x0a, at)) piece[at] = 0x0b;
    yield piece;
    yield Buffer.from('\n');
    // Lets the service answer meanwhile.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Sends a body of any length and returns the response. */
async function upload({ key }: Account, body: AsyncGenerator<Buffer>, more = {}) {
  const response = await fetch(`${app.origin}/v1/account/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson', ...more },
    body: Readable.toWeb(Readable.from(body)) as ReadableStream,
    duplex: 'half',
  });
  return { status: response.status, error: ((await response.json()) as { error?: any }).error };
}

/** Begins an upload and leaves it open. */
async function openUpload({ key }: Account, bytes: number): Promise<Socket> {
  const socket = connect(app.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  socket.write(
    `POST /v1/account/import HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/x-ndjson\r\nContent-Length: ${String(100 * MIB)}\r\n\r\n`,
  );
  for await (const piece of noise(bytes, header())) socket.write(piece);
  return socket;
}

async function usedBy({ api, accountId }: Account): Promise<number> {
  // Free allows few requests a minute.
  await app.dataSource.query('DELETE FROM rate_limit_windows WHERE account_id = $1', [accountId]);
  const { body } = await api.send('GET', '/v1/usage');
  return (body as { data: { quotas: { storageBytes: { used: number } } } }).data.quotas.storageBytes
    .used;
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setImmediate(resolve));
}

describe('The upload of an archive', () => {
  it.each([
    ['a document', (account: Account) => account.api.createDocument({ title: 'Here' })],
    [
      'a template',
      ({ api }: Account) =>
        api.send('POST', '/v1/templates', { body: { name: 'Own', title: 'x' } }),
    ],
  ])(
    'The upload of an archive is refused before anything is stored if the account has %s',
    async (_, fill) => {
      const account = await app.account({ plan: 'free' });
      expectSuccess(await fill(account), 201);
      const { status, error } = await upload(account, noise(150 * MIB));
      expect([status, error.code]).toEqual([409, 'INVALID_REQUEST']);
      expect(await storedOf(account.accountId)).toEqual(NOTHING);
      // With an Idempotency-Key, the body is read for its hash, but not stored.
      const keyed = await upload(account, noise(2 * MIB, header()), {
        'idempotency-key': randomUUID(),
      });
      expect(keyed.status).toBe(409);
      expect(await storedOf(account.accountId)).toEqual(NOTHING);
    },
  );

  it('The upload of an archive is refused at its first bytes if they are not an archive', async () => {
    const account = await app.account({ plan: 'free' });
    for (const first of ['', '{"record": "header", "format": "other"}\n', `{${'x'.repeat(MIB)}`]) {
      const { status, error } = await upload(account, noise(20 * MIB, first));
      expect([status, error.details.line]).toEqual([400, 1]);
      expect(await storedOf(account.accountId)).toEqual(NOTHING);
    }
  });

  it('The upload of an archive is refused where the storage of the plan ends, and nothing of it remains', async () => {
    const account = await app.account({ plan: 'free' });
    await fillStorage(app.dataSource, account, LIMIT - 2 * MIB);
    const { status, error } = await upload(account, noise(8 * MIB, header()));
    expect([status, error.code]).toEqual([403, 'FORBIDDEN']);
    expect(error.details).toMatchObject({ quota: 'storageBytes', limit: LIMIT, plan: 'free' });
    await until(async () => (await storedOf(account.accountId)).files === 0);
    expect(await storedOf(account.accountId)).toEqual(NOTHING);
    expect(await usedBy(account)).toBe(LIMIT - 2 * MIB);
  });

  it('The upload of an archive counts while it arrives, and no longer once it is cut off', async () => {
    const account = await app.account({ plan: 'free' });
    const base = LIMIT - 12 * MIB;
    await fillStorage(app.dataSource, account, base);
    const open = await openUpload(account, 9 * MIB);
    // The rest waits in the compressor, which has a window of 4 MiB.
    await until(async () => (await usedBy(account)) > base + MIB);
    open.destroy();
    await until(async () => (await storedOf(account.accountId)).files === 0);
    expect(await storedOf(account.accountId)).toEqual(NOTHING);
    expect(await usedBy(account)).toBe(base);
  });

  it('The upload of an archive never exceeds the storage together with others', async () => {
    const account = await app.account({ plan: 'free' });
    await fillStorage(app.dataSource, account, LIMIT - 12 * MIB);
    let isOver = false;
    const highest: number[] = [];
    const watch = async () => {
      while (!isOver) highest.push(await usedBy(account));
    };
    const watching = watch();
    const uploads = [9, 9, 9].map((mib) => upload(account, noise(mib * MIB, header())));
    const statuses = (await Promise.all(uploads)).map(({ status }) => status);
    isOver = true;
    await watching;
    expect(Math.max(...highest)).toBeLessThanOrEqual(LIMIT);
    // Those that fit become jobs, which then find that they are no archives. Two do not fit.
    expect(statuses.filter((status) => status === 202).length).toBeLessThanOrEqual(1);
    expect(statuses.filter((status) => status === 403).length).toBeGreaterThanOrEqual(2);
  });

  it('The upload of an archive takes capacity from documents', async () => {
    const account = await app.account({ plan: 'free' });
    await fillStorage(app.dataSource, account, LIMIT - 1.5 * MIB);
    await app.dataSource.query(
      `INSERT INTO stored_files (id, account_id, is_upload, stored_bytes, expires_at, created_at)
       VALUES (gen_random_uuid(), $1, true, $2, now() + interval '1 hour', now())`,
      [account.accountId, MIB],
    );
    const document = { title: 'Large', content: 'x'.repeat(MIB) };
    expectFailure(await account.api.createDocument(document), 403, 'FORBIDDEN');
    await app.dataSource.query('UPDATE stored_files SET expires_at = now() WHERE account_id = $1', [
      account.accountId,
    ]);
    expectSuccess(await account.api.createDocument(document), 201);
  });

  it('The upload of an archive leaves no second file when it is repeated with its Idempotency-Key', async () => {
    const account = await app.account({ plan: 'pro' });
    const key = { 'idempotency-key': randomUUID() };
    const first = await account.api.importAccount(archive, key);
    expect((await endOf(account.api, first)).status).toBe('succeeded');
    const stored = await storedOf(account.accountId);
    expect((await account.api.importAccount(archive, key)).headers).toMatchObject({
      'idempotency-replayed': 'true',
    });
    await until(async () => (await storedOf(account.accountId)).files === stored.files);
  });
});

it('The versions in an archive need as much storage as the text they hold, and count like it until their document is removed', async () => {
  const plan = 'pro';
  const limit = PLAN_QUOTAS[plan].storageBytes ?? 0;
  const [account, larger] = [await app.account({ plan }), await app.account({ plan })];
  await fillStorage(app.dataSource, account, limit - 3 * MIB);
  await fillStorage(app.dataSource, larger, limit - 6 * MIB);
  const document = records.find(({ record }) => record === 'document');
  const version = records.find(({ record }) => record === 'version');
  const versions = [4, 3, 2, 1].map((number) => ({
    ...version,
    ...{ number, content: String(number).repeat(MIB) },
  }));
  const text = sealed([
    records[0] ?? {},
    { ...document, version: 5, content: 'tiny' },
    ...versions,
    records.at(-1) ?? {},
  ]);
  const refused = await endOf(account.api, await account.api.importAccount(text));
  expect(refused).toMatchObject({
    status: 'failed',
    error: { code: 'FORBIDDEN', details: { quota: 'storageBytes' } },
  });
  expect((await account.api.listDocuments()).body.data).toEqual([]);
  const accepted = await endOf(larger.api, await larger.api.importAccount(text));
  expect(accepted.error).toBeNull();
  const used = async () => {
    const usage = expectSuccess(await larger.api.send('GET', '/v1/usage')) as UsageDto;
    return usage.quotas.storageBytes.used;
  };
  expect(await used()).toBeGreaterThan(limit - 2 * MIB);
  expect(await used()).toBeLessThan(limit - 2 * MIB + 10_000);
  const [{ id }] = (await larger.api.listDocuments()).body.data as [{ id: string }];
  expectSuccess(await larger.api.patchDocument(id, { content: 'tinier' }));
  expect(await used()).toBeGreaterThan(limit - 2 * MIB);
  await larger.api.deleteDocument(id, { permanent: true });
  expect(await used()).toBe(limit - 6 * MIB);
});

it('A refused upload is answered like any other refusal', async () => {
  const account = await app.account({ plan: 'free' });
  expectSuccess(await account.api.createDocument({ title: 'Here' }), 201);
  expectFailure(await account.api.importAccount(archive), 409, 'INVALID_REQUEST');
});
