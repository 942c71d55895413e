import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { makeAccount, type TestAccount } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { openTestDatabase } from '../support/postgres.js';
import { RawConnection } from '../support/raw-http.js';
import { startService, type ServiceProcess } from '../support/service-process.js';

const MIB = 1024 ** 2;
const CONNECTIONS = 40;
/** Their responses hold 560 MB together; garbage adds to the peak. */
const READERS = 80;

let service: ServiceProcess;
let account: TestAccount;
let api: ApiClient;
let database: Awaited<ReturnType<typeof openTestDatabase>>;
let before: number;
const open: RawConnection[] = [];
beforeEach(async () => {
  database = await openTestDatabase();
  account = await makeAccount(database.dataSource);
  service = await startService({
    DATABASE_URL: database.url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    PROCESS_ROLE: 'api',
  });
  api = new ApiClient(service.origin, account.key);
  for (let n = 0; n < 7; n += 1) {
    await api.createDocument({ title: 'Large', content: 'x'.repeat(MIB) });
  }
  before = await memory();
});
afterEach(async () => {
  for (const connection of open.splice(0)) connection.close();
  await service.end('SIGKILL');
  await database.drop();
});

/** Returns the peak memory of the process, in bytes. */
async function memory(): Promise<number> {
  const status = await readFile(`/proc/${String(service.child.pid)}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

async function connected(): Promise<RawConnection> {
  const connection = await RawConnection.open(service.port);
  open.push(connection);
  return connection;
}

describe('the memory of a process stays bounded', () => {
  it('when many clients send nearly all of a large body and stop', async () => {
    const body = Buffer.alloc(7.9 * MIB, 'x');
    for (let n = 0; n < CONNECTIONS; n += 1) {
      const connection = (await connected()).listen();
      connection.send(
        `POST /v1/documents HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${account.key}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${String(8 * MIB)}\r\n\r\n`,
      );
      connection.send(body);
    }
    await eventually(
      () => open.filter(({ statuses }) => statuses[0] === 429).length,
      (refused) => refused >= CONNECTIONS - 4,
    );
    expect((await api.createDocument({ title: 'Small' })).status).toBe(201);
    expect((await memory()) - before).toBeLessThan(200 * MIB);
  }, 60_000);

  it('when many clients ask for a large list and do not read it', async () => {
    const list =
      `GET /v1/documents?include=content HTTP/1.1\r\nHost: x\r\n` +
      `Authorization: Bearer ${account.key}\r\n\r\n`;
    for (let n = 0; n < READERS; n += 1) {
      (await connected()).send(list);
      // One after the other, because concurrent ones would be read together and answered at once.
      expect((await api.listDocuments()).status).toBe(200);
    }
    await eventually(
      () => service.log().filter(({ msg }) => String(msg).startsWith('response not read')).length,
      (ended) => ended >= READERS - 10,
      30_000,
    );
    expect((await api.listDocuments()).status).toBe(200);
    expect((await memory()) - before).toBeLessThan(450 * MIB);
  }, 60_000);
});
