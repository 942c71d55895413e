import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { generateApiKey } from '../../src/features/auth/api-keys/api-key.js';
import { freePort } from '@document-service/embedded-postgres/free-port';
import { encodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { makeAccount } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { bundledProgram } from '../support/compiled-program.js';
import { eventually } from '../support/eventually.js';
import { openTestDatabase, runOn } from '../support/postgres.js';
import { startService } from '../support/service-process.js';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
const secretsKey = randomBytes(32).toString('base64');
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.drop());

describe('the log', () => {
  it('the log has one structured line per request with IDs, route, status and duration, and never a key, a secret or content', async () => {
    const account = await makeAccount(database.dataSource);
    const service = await startService({
      DATABASE_URL: database.url,
      SECRETS_KEY: secretsKey,
      LOG_LEVEL: 'trace',
    });
    const api = new ApiClient(service.origin, account.key);
    const wrongKey = generateApiKey();
    const responses = [
      await api.createDocument({ title: 'Confidential title', content: 'Confidential content' }),
      await api.registerWebhook({
        url: 'https://example.com/h',
        events: ['*'],
        secret: 'webhook-secret-0123456789',
      }),
      await api.readDocument('doc_nonsense'),
      await new ApiClient(service.origin, wrongKey).listDocuments(),
    ];
    expect(await service.end()).toBe(0);
    const lines = service.log().filter(({ msg }) => msg === 'request');
    const own = responses.map(({ body }) =>
      lines.filter(({ requestId }) => requestId === body.meta.requestId),
    );
    expect(own.map(({ length }) => length)).toEqual([1, 1, 1, 1]);
    expect(own.map(([line]) => line)).toEqual([
      expect.objectContaining({
        level: 'info',
        method: 'POST',
        route: '/v1/documents',
        status: 201,
        durationMs: expect.any(Number) as number,
      }),
      expect.objectContaining({ method: 'POST', route: '/v1/webhooks', status: 201 }),
      expect.objectContaining({ method: 'GET', route: '/v1/documents/:id', status: 404 }),
      expect.objectContaining({ method: 'GET', route: '/v1/documents', status: 401 }),
    ]);
    expect(own[0]?.[0]).toMatchObject({
      accountId: encodeId('account', account.accountId),
      keyId: encodeId('key', account.keyId),
    });
    for (const secret of [
      account.key,
      wrongKey,
      'webhook-secret',
      'Confidential',
      secretsKey,
      new URL(database.url).password,
    ]) {
      if (secret !== '') expect(service.output()).not.toContain(secret);
    }
  });

  it('the log omits successful requests for health and metrics, and includes failed ones', async () => {
    const service = await startService({
      DATABASE_URL: database.url,
      SECRETS_KEY: secretsKey,
    });
    const probes = ['/health/live', '/health/ready', '/metrics'];
    for (const path of probes) {
      expect((await fetch(service.origin + path)).status).toBe(200);
      expect((await fetch(service.origin + path, { method: 'POST' })).status).toBe(405);
    }
    await runOn(database.url, 'ALTER TABLE migrations RENAME TO migrations_away');
    await eventually(
      async () => (await fetch(`${service.origin}/health/ready`)).status,
      (status) => status === 503,
    );
    await runOn(database.url, 'ALTER TABLE migrations_away RENAME TO migrations');
    await service.end();
    const lines = service.log().filter(({ msg }) => msg === 'request');
    expect(lines.filter(({ status }) => Number(status) < 400)).toEqual([]);
    expect(lines.filter(({ status }) => status === 405)).toHaveLength(3);
    expect(lines).toContainEqual(expect.objectContaining({ route: '/health/ready', status: 503 }));
  });

  it('the log loses lines and nothing else while its disk is full', async () => {
    const full = openSync('/dev/full', 'w');
    const port = await freePort();
    const child = spawn(process.execPath, [bundledProgram('main')], {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        DATABASE_URL: database.url,
        SECRETS_KEY: secretsKey,
        PORT: String(port),
        SHUTDOWN_DELAY_MS: '0',
      },
      stdio: ['ignore', full, 'inherit'],
    });
    closeSync(full);
    try {
      const origin = `http://127.0.0.1:${String(port)}`;
      await eventually(async () => (await fetch(`${origin}/health/ready`).catch(() => null))?.ok);
      const { key } = await makeAccount(database.dataSource);
      const api = new ApiClient(origin, key);
      for (let n = 0; n < 50; n += 1) expect((await api.listDocuments()).status).toBe(200);
      child.kill('SIGTERM');
      await once(child, 'exit');
      expect(child.exitCode).toBe(0);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('the log mentions no pause at a start, which may hold the event loop for a second', async () => {
    const hold = `
      const { Server } = await import('node:net');
      const listen = Server.prototype.listen;
      Server.prototype.listen = function (...args) {
        const until = performance.now() + 1500;
        while (performance.now() < until);
        return listen.apply(this, args);
      };`;
    const service = await startService({
      DATABASE_URL: database.url,
      SECRETS_KEY: secretsKey,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hold)}`,
    });
    // The delivery worker listens, so its first round has begun.
    await eventually(async () => {
      const rows = await database.dataSource.query<object[]>(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
            AND application_name = 'document-service jobs'`,
      );
      return rows.length > 0;
    });
    expect(await service.end()).toBe(0);
    expect(service.output()).not.toContain('was paused');
  });
});
