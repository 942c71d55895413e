import { randomBytes, randomUUID } from 'node:crypto';
import { makeAccount } from '../support/accounts.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { CommitProxy, type LostHalf } from '../support/commit-proxy.js';
import { expectSuccess } from '../support/envelope.js';
import { openTestDatabase } from '../support/postgres.js';
import { eventually } from '../support/eventually.js';
import { startService, type ServiceProcess } from '../support/service-process.js';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let proxy: CommitProxy;
let environment: Record<string, string>;
let survivor: ServiceProcess;
let key: string;
let client: ApiClient;

beforeAll(async () => {
  database = await openTestDatabase();
  proxy = await new CommitProxy(database.url).start();
  environment = {
    DATABASE_URL: database.url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    PROCESS_ROLE: 'api',
  };
  survivor = await startService(environment);
});
beforeEach(async () => {
  ({ key } = await makeAccount(database.dataSource));
  client = new ApiClient(survivor.origin, key);
});
afterAll(async () => {
  await survivor.end('SIGKILL');
  proxy.close();
  await database.drop();
});

type Send = (api: ApiClient) => Promise<ApiResponse>;

/**
 * Sends a request to a process that is killed after it has sent COMMIT and before it gets a response. The client gets
 * none either.
 */
async function sendAndKill(half: LostHalf, send: Send): Promise<void> {
  const doomed = await startService({ ...environment, DATABASE_URL: proxy.url });
  const lost = proxy.lose(half);
  const response = send(new ApiClient(doomed.origin, key)).catch(() => 'no response');
  await lost;
  expect(await doomed.end('SIGKILL')).toBe('SIGKILL');
  expect(await response).toBe('no response');
}

const totalOf = async (path: string) =>
  (await client.list(path, {})).body.meta.pagination.total as number;
const isReplayed = ({ headers }: ApiResponse) => headers['idempotency-replayed'] === 'true';

describe('a process killed after its commit and before its response', () => {
  it('has created the document, and a retry elsewhere returns it: one row, one event', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = { title: 'Once', content: 'x'.repeat(10_000), metadata: { b: 1, a: 'ü' } };
    await sendAndKill('answer', (api) => api.createDocument(body, headers));
    await eventually(async () => (await totalOf('/v1/documents')) === 1);
    const retry = await client.createDocument(body, headers);
    const document = expectSuccess(retry, 201) as { id: string };
    expect(isReplayed(retry)).toBe(true);
    expect(retry.headers).toMatchObject({ location: `/v1/documents/${document.id}`, etag: '"1"' });
    expect((await client.readDocument(document.id)).body.data).toEqual(document);
    expect(document).toMatchObject(body);
    expect(await totalOf('/v1/documents')).toBe(1);
    expect(await totalOf('/v1/events')).toBe(1);
    expect(await totalOf('/v1/audit')).toBe(1);
  });

  it('has edited the document, and a retry does not edit it again', async () => {
    const { id } = expectSuccess(
      await client.createDocument({ title: 'T', content: 'a' }),
      201,
    ) as {
      id: string;
    };
    const options = {
      body: { edits: [{ op: 'append', text: 'b' }] },
      headers: { 'Idempotency-Key': randomUUID() },
    };
    const edit: Send = (api) => api.send('POST', `/v1/documents/${id}/edits`, options);
    await sendAndKill('answer', edit);
    await eventually(async () => (await client.readDocument(id)).body.data.version === 2);
    const retry = await edit(client);
    expect(isReplayed(retry)).toBe(true);
    expect(expectSuccess(retry)).toMatchObject({ content: 'ab', version: 2 });
    expect((await client.readDocument(id)).body.data).toMatchObject({ content: 'ab', version: 2 });
    expect(await totalOf('/v1/events')).toBe(2);
  });
});

describe('a process killed before its commit arrives', () => {
  it('has done nothing, and the retry does it for the first time', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const create: Send = (api) => api.createDocument({ title: 'Later' }, headers);
    await sendAndKill('command', create);
    expect(await totalOf('/v1/documents')).toBe(0);
    // PostgreSQL holds the key until it notices that the process has ended.
    await eventually(async () => (await create(client)).status === 201);
    expect(isReplayed(await create(client))).toBe(true);
    expect(await totalOf('/v1/documents')).toBe(1);
    expect(await totalOf('/v1/events')).toBe(1);
  });
});
