import { startEmbeddedPostgres } from '@document-service/embedded-postgres/start-embedded-postgres';
import {
  cleanUp,
  endAll,
  isAlive,
  newDataDir,
  OwnerProcess,
  query,
  serverPid,
} from '../support/postgres-owner-process.js';

describe('A data folder', () => {
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await newDataDir();
  });
  afterEach(endAll);
  afterAll(cleanUp);

  it('A data folder belongs to only one of two services that start at once', async () => {
    const both = await Promise.all([OwnerProcess.start(dataDir), OwnerProcess.start(dataDir)]);
    expect(both.filter(({ failure }) => failure === undefined)).toHaveLength(1);
    expect(both.filter(({ failure }) => failure?.includes('already uses'))).toHaveLength(1);
  });

  it('A data folder is refused to a second service, with a sentence that names the first and the alternatives', async () => {
    const first = await OwnerProcess.start(dataDir);
    const second = await OwnerProcess.start(dataDir);
    expect(second.failure).toContain(
      `Process ${String(first.pid)} already uses the data folder ${dataDir}`,
    );
    expect(second.failure).toMatch(/set DATA_DIR .* or DATABASE_URL/);
    expect(await first.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('A data folder does not affect a service on another folder that starts at the same time', async () => {
    const folders = [dataDir, await newDataDir()];
    const services = await Promise.all(folders.map((folder) => OwnerProcess.start(folder)));
    for (const service of services) {
      expect(await service.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    }
  });

  it('A data folder shares its running database with a command and keeps it running afterwards', async () => {
    const service = await OwnerProcess.start(dataDir);
    const command = await OwnerProcess.start(dataDir, 'command');
    expect(command.report).toEqual({ url: service.url, owned: false });
    await command.end();
    expect(await service.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('A data folder has its database started and stopped by a command if no service runs', async () => {
    const command = await OwnerProcess.start(dataDir, 'command');
    const server = await serverPid(dataDir);
    expect(await command.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await command.end();
    expect(isAlive(server)).toBe(false);
  });

  it('A data folder stays open until another command has finished with the database', async () => {
    const first = await OwnerProcess.start(dataDir, 'command');
    const second = await OwnerProcess.start(dataDir, 'command');
    const firstEnds = first.end();
    expect(await second.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await second.end();
    await firstEnds;
    await expect(query(second.url, 'SELECT 1')).rejects.toThrow(/ECONNREFUSED/);
  });

  it('A data folder passes from a finished command to the service that waits for it', async () => {
    const command = await OwnerProcess.start(dataDir, 'command');
    const waiting = startEmbeddedPostgres({ dataDir });
    await command.end();
    const service = await waiting;
    expect(await query(service.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await service.stop();
  });
});
