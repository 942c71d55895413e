import { randomBytes } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { request } from 'undici';
import { createTestDatabase, databaseUrl, runOn, type TestDatabase } from '../support/postgres.js';
import { compiledProgram } from '../support/compiled-program.js';
import { spawnService, startService } from '../support/service-process.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const SECRETS_KEY = randomBytes(32).toString('base64');
const environment = () => ({
  DATABASE_URL: database.url,
  SECRETS_KEY,
});

async function failedStart(variables: Record<string, string>): Promise<string> {
  const service = spawnService(variables);
  await once(service.child, 'close');
  expect(service.child.exitCode).toBe(1);
  expect(service.output()).not.toMatch(/\n\s+at |node_modules/);
  return service.output();
}

describe('startup', () => {
  it('startup ends with one message that lists every wrong variable and repeats no value', async () => {
    const output = await failedStart({
      PORT: 'eighty',
      PROCESS_ROLE: 'boss',
      DATABASE_URL: 'mysql://user:hunter2@db/x',
      LOG_LEVEL: 'loud',
      BODY_LIMIT: '-1',
      TRUST_PROXY: 'everyone',
      CORS_ORIGINS: 'example.com',
      WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/99',
      SECRETS_KEY: 'c2hvcnQ=',
    });
    for (const name of [
      'PORT',
      'PROCESS_ROLE',
      'DATABASE_URL',
      'LOG_LEVEL',
      'BODY_LIMIT',
      'TRUST_PROXY',
      'CORS_ORIGINS',
      'WEBHOOK_ALLOWED_NETWORKS',
      'SECRETS_KEY',
    ]) {
      expect(output).toMatch(new RegExp(`^ {2}- ${name} `, 'm'));
    }
    expect(output).not.toMatch(/hunter2|c2hvcnQ/);
  });

  it('startup requires SECRETS_KEY with DATABASE_URL', async () => {
    expect(await failedStart({ DATABASE_URL: database.url })).toContain(
      'SECRETS_KEY is required with DATABASE_URL',
    );
  });

  it('startup reports a port in use in a sentence', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const output = await failedStart({ ...environment(), PORT: String(port) });
    other.close();
    expect(output).toContain(
      `Port ${String(port)} on 127.0.0.1 is in use by another program. Stop it, or set PORT to a free port.`,
    );
  });

  it('startup says which database does not respond, without the password', async () => {
    const output = await failedStart({
      ...environment(),
      DATABASE_URL: 'postgres://someone:hunter2@127.0.0.1:1/nothing',
      START_TIMEOUT_S: '0',
    });
    expect(output).toMatch(
      /^Cannot reach PostgreSQL at 127\.0\.0\.1:1\/nothing within 0 seconds: .*Start the server or correct DATABASE_URL\.$/m,
    );
    expect(output).not.toContain('hunter2');
  });

  it('startup reports what PostgreSQL refuses in a sentence, and logs the stack at debug', async () => {
    const name = `test_${randomBytes(8).toString('hex')}`;
    const url = databaseUrl(database.url, name);
    await runOn(database.url, `CREATE DATABASE ${name}`);
    await runOn(url, 'REVOKE CREATE ON SCHEMA public FROM pg_database_owner, PUBLIC');
    const service = spawnService({ ...environment(), DATABASE_URL: url, LOG_LEVEL: 'debug' });
    await once(service.child, 'close');
    await runOn(database.url, `DROP DATABASE ${name} WITH (FORCE)`);
    expect(service.child.exitCode).toBe(1);
    const words = service
      .output()
      .split('\n')
      .filter((line) => !line.startsWith('{'));
    expect(words).toEqual([
      'PostgreSQL refused: permission denied for schema public. Grant the role this privilege, or correct DATABASE_URL.',
    ]);
    expect(service.log()).toContainEqual(
      expect.objectContaining({
        level: 'debug',
        msg: 'the service could not start',
        err: expect.objectContaining({
          stack: expect.stringContaining(' at ') as string,
        }) as object,
      }),
    );
  });

  it.each(['api', 'worker', 'all'])('serves health and metrics in the role %s', async (role) => {
    // As published. The other tests start bundled programs.
    const program = compiledProgram('main');
    const variables = { ...environment(), PROCESS_ROLE: role, REDIS_URL: 'redis://localhost:1' };
    const service = await startService(variables, program);
    const get = async (path: string) => {
      const response = await request(service.origin + path);
      return {
        status: response.statusCode,
        type: response.headers['content-type'],
        text: await response.body.text(),
      };
    };
    expect(JSON.parse((await get('/health/live')).text)).toMatchObject({
      success: true,
      data: { status: 'live' },
    });
    expect(JSON.parse((await get('/health/ready')).text)).toMatchObject({
      success: true,
      data: {
        status: 'ready',
        checks: { database: 'up', migrations: 'done', redis: 'not configured' },
      },
    });
    const metrics = await get('/metrics');
    expect(metrics.type).toMatch(/^text\/plain/);
    expect(metrics.text).toMatch(
      /^http_request_duration_seconds_count\{method="GET",route="\/health\/ready",status="200"\} \d+$/m,
    );
    expect(metrics.text).toMatch(/^database_pool_connections\{state="total"\} \d+$/m);
    expect((await get('/v1/documents')).status).toBe(role === 'worker' ? 404 : 401);
    expect(await service.end()).toBe(0);
    // A setting of earlier releases does not stop an upgrade.
    expect(service.log().filter(({ level }) => level === 'warn')).toMatchObject([
      { msg: 'REDIS_URL has no effect: PostgreSQL counts rate limits. Remove it.' },
    ]);
  });
});
