import { rm } from 'node:fs/promises';
import { eventually } from '../support/eventually.js';
import {
  cleanUp,
  endAll,
  isAlive,
  newDataDir,
  OwnerProcess,
  serverPid,
} from '../support/postgres-owner-process.js';

describe('The database server of a running service', () => {
  let dataDir: string;
  let service: OwnerProcess;
  let server: number;

  beforeAll(async () => {
    dataDir = await newDataDir();
  });
  beforeEach(async () => {
    service = await OwnerProcess.start(dataDir);
    server = await serverPid(dataDir);
  });
  afterEach(endAll);
  afterAll(cleanUp);

  it('The database server of a running service returns at the same address with all data each time it is killed', async () => {
    await service.query('CREATE TABLE kept AS SELECT 42 AS answer');
    for (let kills = 0; kills < 2; kills += 1) {
      const killed = await serverPid(dataDir);
      process.kill(killed, 'SIGKILL');
      await eventually(async () => {
        if ((await serverPid(dataDir).catch(() => killed)) === killed) return false;
        const rows = await service.query('SELECT answer FROM kept').catch(() => []);
        return rows.length === 1;
      });
    }
  });

  it('The database server of a running service ends with the service even if a client is connected', async () => {
    const connected = service.query('SELECT pg_sleep(60)').catch((error: unknown) => String(error));
    await eventually(async () => {
      const rows = await service.query(
        `SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%sleep(60)'`,
      );
      return rows.length === 1;
    });
    await service.end();
    expect(isAlive(server)).toBe(false);
    expect(await connected).toMatch(/terminating connection|terminated/);
  });

  it('The database server of a running service does not receive Ctrl-C in the terminal before the service stops it', async () => {
    process.kill(-service.pid, 'SIGINT');
    await eventually(() => service.child.signalCode === 'SIGINT');
    expect(isAlive(server)).toBe(true);
  });

  it('The database server of a running service ends with the service even when its folder has been removed', async () => {
    await rm(dataDir, { recursive: true });
    await service.end();
    expect(isAlive(server)).toBe(false);
  });
});
