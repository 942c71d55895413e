import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { generateApiKey } from '../../src/features/auth/api-keys/api-key.js';
import { issueToken } from '../../src/features/people/sessions/secret-token.js';
import { makeAccount } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { openTestDatabase } from '../support/postgres.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { runCli } from '../cli/run-cli.js';

jest.setTimeout(120_000);

let folder: string;
let database: Awaited<ReturnType<typeof openTestDatabase>>;
let service: ServiceProcess;
const environment = () => ({
  DATABASE_URL: database.url,
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
});
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'document-service-redaction-'));
  database = await openTestDatabase();
  service = await startService({ ...environment(), LOG_LEVEL: 'trace' });
});
afterAll(async () => {
  await service.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

it.each([
  ['an API key', () => generateApiKey()],
  ['a webhook secret', () => `whsec_${Buffer.alloc(32, 201).toString('base64')}`],
  ['a session or one-time link', () => issueToken().token],
])('%s sent in any part of a request appears in no log and no backup', async (_, make) => {
  const { key } = await makeAccount(database.dataSource);
  const api = new ApiClient(service.origin, key);
  const secret = make();
  const inUrl = encodeURIComponent(secret);
  const sent: Promise<{ status: number }>[] = [
    api.send('GET', `/v1/documents?${inUrl}=1`),
    api.send('GET', `/v1/documents?q=before${inUrl}`),
    api.send('GET', `/v1/documents?sort=${inUrl}&limit=${inUrl}`),
    api.send('GET', `/v1/documents?cursor=${inUrl}`),
    api.send('GET', `/v1/documents?a=%25${inUrl.replace(/^./, (first) => `%${hex(first)}`)}`),
    api.send('GET', `/v1/documents/${inUrl}`),
    api.send('GET', `/v1/${inUrl}/x`),
    api.send('POST', `/lt/${inUrl}/v2/check`),
    api.send('POST', `/v2/check?apiKey=${inUrl}`),
    api.send('POST', '/v2/check', { rawBody: `apiKey=${inUrl}&text=${inUrl}&language=${inUrl}` }),
    api.send('POST', '/v1/documents', { body: { title: 'a', [secret]: 1 } }),
    api.send('POST', '/v1/documents', { body: { title: 'a', metadata: { tags: secret } } }),
    api.send('POST', '/v1/documents', {
      body: { title: 'a', status: secret, [`x.${secret}.y`]: 1 },
    }),
    api.send('POST', '/v1/documents', {
      body: { title: 'a', [`${'x'.repeat(180)}.${secret}`]: 1 },
    }),
    api.send('POST', '/v1/keys', { body: { name: secret, scopes: [secret] } }),
    api.send('GET', '/v1/documents', {
      headers: {
        'user-agent': `client/1.0 (${secret})`,
        'x-request-id': secret,
        [`x-${secret.replace(/[^A-Za-z0-9]/g, '')}`]: secret,
      },
    }),
    api.send('POST', '/v1/documents', {
      body: { title: 'a', [secret]: 1 },
      headers: { 'idempotency-key': secret },
    }),
  ];
  await Promise.all(sent);
  await request(`${service.origin}/dashboard/api/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': secret },
    body: JSON.stringify({ email: secret, [secret]: secret }),
  }).then(({ body }) => body.dump());
  const entries = await eventually(
    async () =>
      expectSuccess(await api.list('/v1/requests', { limit: 100 })) as Record<string, unknown>[],
    (found) => found.filter(({ status }) => status !== 200).length >= sent.length - 3,
  );
  expect(entries.length).toBeGreaterThan(0);
  const file = join(folder, `${String(entries.length)}-${String(Date.now())}.backup`);
  const { exitCode, stderr } = await runCli(environment(), 'backup', file);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  const written = {
    requestLog: JSON.stringify(entries),
    processLog: service.output(),
    backup: gunzipSync(await readFile(file)).toString('latin1'),
  };
  const needle = secret.slice(10, 34);
  for (const [place, text] of Object.entries(written)) {
    const found = text.indexOf(needle);
    expect({ place, found: found === -1 ? '' : text.slice(found - 200, found + 100) }).toEqual({
      place,
      found: '',
    });
  }
});

function hex(character: string): string {
  return character.charCodeAt(0).toString(16);
}
