import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { DataSource } from 'typeorm';
import { SCHEMA } from '../../src/tables.js';
import { dataSourceOptions } from '../../src/platform/database/pools.js';
import { makeAccount } from '../support/accounts.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { drillCount } from '../support/drills.js';
import { eventually } from '../support/eventually.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { RestartablePostgres } from '../support/restartable-postgres-process.js';
import { spawnService, startService, type ServiceProcess } from '../support/service-process.js';

const RESTARTS = drillCount({ small: 3, full: 20 });
const CLIENTS = 16;

let postgres: RestartablePostgres;
let environment: Record<string, string>;
let service: ServiceProcess | undefined;
beforeAll(async () => {
  postgres = await RestartablePostgres.prepare();
  environment = {
    DATABASE_URL: postgres.url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    PROCESS_ROLE: 'api',
  };
});
afterEach(async () => {
  await service?.end('SIGKILL');
});
afterAll(() => postgres.remove());

async function makeKey(): Promise<string> {
  const dataSource = await new DataSource(dataSourceOptions(postgres.url, 2, SCHEMA)).initialize();
  const { key } = await makeAccount(dataSource);
  await dataSource.destroy();
  return key;
}

const waitingLines = (of = service) =>
  of?.log().filter(({ msg }) => /^Waiting for PostgreSQL/.test(String(msg))) ?? [];

describe('Startup while PostgreSQL is unavailable', () => {
  /** Waits while other services are tried. */
  let patient: ServiceProcess;
  beforeAll(() => {
    patient = spawnService({ ...environment, PORT: '0' });
  });
  afterAll(() => patient.end('SIGKILL'));

  it('Startup while PostgreSQL is unavailable ends with one sentence after the maximum wait', async () => {
    service = spawnService({ ...environment, START_TIMEOUT_S: '1' });
    await once(service.child, 'close');
    expect(service.child.exitCode).toBe(1);
    expect(service.output()).toMatch(
      /^Cannot reach PostgreSQL at .* within 1 seconds: .*Start the server or correct DATABASE_URL\.$/m,
    );
  });

  it('Startup while PostgreSQL is unavailable ends on a signal', async () => {
    service = spawnService(environment);
    await eventually(() => waitingLines().length > 0);
    expect(await service.end('SIGTERM')).toBe(1);
    expect(service.output()).toMatch(/^Startup was interrupted while waiting for PostgreSQL/m);
  });

  it('Startup while PostgreSQL is unavailable waits for it, says so, and continues when it is available', async () => {
    const lines = await eventually(
      () => waitingLines(patient),
      ({ length }) => length >= 2,
    );
    expect(lines[0]).toMatchObject({
      level: 'warn',
      reason: expect.stringMatching(/ECONNREFUSED/),
    });
    await postgres.start();
    await eventually(() => patient.log().some(({ msg }) => msg === 'listening'));
    expect(await patient.end()).toBe(0);
    await postgres.stop();
  });

  it('Startup while PostgreSQL is unavailable does not wait for a server that refuses the password or lacks the database', async () => {
    await postgres.start();
    const wrongPassword = new URL(postgres.url);
    wrongPassword.password = 'hunter2';
    const unknownDatabase = new URL(postgres.url);
    unknownDatabase.pathname = '/nothing';
    for (const { href } of [wrongPassword, unknownDatabase]) {
      service = spawnService({ ...environment, DATABASE_URL: href });
      await once(service.child, 'close');
      expect(service.child.exitCode).toBe(1);
      expect(waitingLines()).toEqual([]);
      expect(service.output()).toMatch(/^PostgreSQL at .* refused: .*Correct DATABASE_URL\.$/m);
      expect(service.output()).not.toContain('hunter2');
    }
    await postgres.stop();
  });
});

it('Restarts of PostgreSQL under load end no process, leave no request without a response in the envelope, and lose nothing acknowledged', async () => {
  await postgres.start();
  const running = await startService(environment);
  service = running;
  const api = new ApiClient(running.origin, await makeKey());
  const requests: ((turn: number) => Promise<ApiResponse>)[] = [
    () => api.createDocument({ title: 'plain' }),
    () => api.createDocument({ title: 'keyed' }, { 'Idempotency-Key': randomUUID() }),
    () => api.listDocuments(),
  ];
  const acknowledged: string[] = [];
  let isOver = false;
  const client = async (first: number) => {
    for (let turn = first; !isOver; turn += 1) {
      const response = await requests[turn % requests.length]?.(turn);
      if (response?.status === 201) {
        acknowledged.push((expectSuccess(response, 201) as { id: string }).id);
      } else if (response?.status === 503) {
        expectFailure(response, 503, 'INTERNAL_ERROR');
        expect(response.headers['retry-after']).toMatch(/^\d+$/);
      } else expectSuccess(response as ApiResponse);
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)));
  for (let restart = 0; restart < RESTARTS; restart += 1) {
    const before = acknowledged.length;
    await eventually(() => acknowledged.length > before + CLIENTS);
    await postgres.stop();
    await postgres.start();
  }
  isOver = true;
  await clients;
  expect(running.child.exitCode).toBeNull();
  for (const id of acknowledged) expectSuccess(await api.readDocument(id));
  expect(await running.end()).toBe(0);
}, 240_000);
