import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeAccount } from '../support/accounts.js';
import { eventually } from '../support/eventually.js';
import { openTestDatabase } from '../support/postgres.js';
import { RawConnection } from '../support/raw-http.js';
import { spawnService, startService, type ServiceProcess } from '../support/service-process.js';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let key: string;
beforeAll(async () => {
  database = await openTestDatabase();
  ({ key } = await makeAccount(database.dataSource));
});
afterAll(() => database.drop());

const SECRETS_KEY = randomBytes(32).toString('base64');
const environment = () => ({
  DATABASE_URL: database.url,
  SECRETS_KEY,
  SHUTDOWN_DELAY_MS: '0',
});

const BODY = '{"title":"slow upload"}';

/** Begins uploads whose last bytes are still to come. */
async function beginUploads(service: ServiceProcess): Promise<RawConnection[]> {
  const uploads = await Promise.all(
    Array.from({ length: 20 }, () => RawConnection.open(service.port)),
  );
  for (const upload of uploads) {
    upload
      .listen()
      .send(
        `POST /v1/documents HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${String(BODY.length)}\r\nExpect: 100-continue\r\n\r\n${BODY.slice(0, 5)}`,
      );
  }
  await eventually(() => uploads.every(({ text }) => text.startsWith('HTTP/1.1 100')));
  return uploads;
}

const isShuttingDown = (service: ServiceProcess) =>
  service.log().some(({ msg }) => msg === 'shutting down');

it.each<[NodeJS.Signals, NodeJS.Signals]>([
  ['SIGINT', 'SIGINT'],
  ['SIGTERM', 'SIGTERM'],
  ['SIGHUP', 'SIGHUP'],
  ['SIGQUIT', 'SIGQUIT'],
  ['SIGHUP', 'SIGTERM'],
])('finishes requests in flight and ends with exit code 0: %s, %s', async (first, second) => {
  const service = await startService(environment());
  const uploads = await beginUploads(service);
  const ended = once(service.child, 'exit');
  service.child.kill(first);
  await eventually(() => isShuttingDown(service));
  service.child.kill(second);
  for (const upload of uploads) upload.send(BODY.slice(5));
  await eventually(() => uploads.every(({ statuses }) => statuses.length === 2));
  expect(uploads.flatMap(({ statuses }) => statuses.slice(1))).toEqual(Array(20).fill(201));
  expect((await ended)[0]).toBe(0);
});

it('a process that gets its signal twice, as from npm and from the terminal ends at once if it is signaled again later, and says so', async () => {
  const service = await startService(environment());
  await beginUploads(service);
  const begun = performance.now();
  service.child.kill('SIGINT');
  await eventually(
    () => service.child.kill('SIGINT') && service.child.exitCode,
    (code) => code !== null,
  );
  expect(performance.now() - begun).toBeGreaterThan(2_000);
  expect(service.child.exitCode).toBe(1);
  expect(service.output().split('\n').at(-1)).toBe(
    'Ended at once by another SIGINT; requests in flight were cut.',
  );
});

describe('a signal during the start', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'document-service-signal-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it.each<NodeJS.Signals>(['SIGINT', 'SIGHUP'])(
    'stops it before it listens, and the next start finds a complete database: %s',
    async (signal) => {
      const first = spawnService({ DATA_DIR: dataDir });
      await eventually(() => existsSync(join(dataDir, 'postgres.partial')));
      first.child.kill(signal);
      first.child.kill(signal);
      await once(first.child, 'close');
      expect([first.child.exitCode, first.output()]).toEqual([0, '']);
      expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid');
      const second = await startService({ DATA_DIR: dataDir });
      expect(await second.end()).toBe(0);
    },
  );

  it('a signal during the start does not reach the programs of PostgreSQL, which have their own process group', async () => {
    const service = spawnService({ DATA_DIR: dataDir });
    const groupOf = async (pid: string | number) =>
      (await readFile(`/proc/${String(pid)}/stat`, 'utf8').catch(() => ''))
        .split(') ')[1]
        ?.split(' ')[2];
    const children = async () => {
      const { pid } = service.child;
      const text = await readFile(`/proc/${String(pid)}/task/${String(pid)}/children`, 'utf8');
      return text.split(' ').filter((child) => child !== '');
    };
    const [initdb = ''] = await eventually(children, ({ length }) => length > 0);
    expect(await groupOf(initdb)).not.toBe(await groupOf(process.pid));
    await service.end('SIGINT');
  });
});
