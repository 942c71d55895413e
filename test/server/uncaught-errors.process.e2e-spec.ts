import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { request } from 'undici';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { startService, type ServiceProcess } from '../support/service-process.js';

const SECRETS_KEY = randomBytes(32).toString('base64');

let database: TestDatabase;
let service: ServiceProcess;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => service.end('SIGKILL'));
afterAll(() => database.drop());

const start = (code: string) =>
  startService({
    DATABASE_URL: database.url,
    SECRETS_KEY,
    NODE_OPTIONS: `--import ${resolve('test/support/throw-on-signal.mjs')}`,
    THROWN_CODE: code,
  });

const logged = (message: RegExp) =>
  service.log().filter(({ msg, level }) => level === 'error' && message.test(String(msg)));

describe('An uncaught error', () => {
  it('An uncaught error is logged and has no effect if it is a broken connection', async () => {
    service = await start('57P01');
    for (const [index, signal] of (['SIGUSR2', 'SIGWINCH'] as const).entries()) {
      service.child.kill(signal);
      await eventually(
        () => logged(/Unhandled connection error/),
        ({ length }) => length === index + 1,
      );
      const ready = await request(`${service.origin}/health/ready`);
      await ready.body.dump();
      expect(ready.statusCode).toBe(200);
    }
    expect(await service.end()).toBe(0);
  });

  it.each(['SIGUSR2', 'SIGWINCH'] as const)(
    'An uncaught error is logged and ends the process in order, with exit code 1, if it is anything else (by %s)',
    async (signal) => {
      service = await start('ERR_UNFORESEEN');
      service.child.kill(signal);
      await once(service.child, 'close');
      expect(service.child.exitCode).toBe(1);
      expect(logged(/Unexpected error; the process ends/)).toHaveLength(1);
      expect(service.log().at(-1)).toMatchObject({ msg: 'shutting down' });
    },
  );
});
