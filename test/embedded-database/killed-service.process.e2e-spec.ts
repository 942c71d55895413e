import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import {
  cleanUp,
  endAll,
  isAlive,
  newDataDir,
  OwnerProcess,
  serverPid,
} from '../support/postgres-owner-process.js';

describe('A data folder left by a killed service', () => {
  let dataDir: string;
  let service: OwnerProcess;

  beforeAll(async () => {
    dataDir = await newDataDir();
  });
  beforeEach(async () => {
    service = await OwnerProcess.start(dataDir);
    await service.query('DROP TABLE IF EXISTS kept');
    await service.query('CREATE TABLE kept AS SELECT 42 AS answer');
  });
  afterEach(endAll);
  afterAll(cleanUp);

  /** Expects that a new service finds everything and can still stop and start. */
  async function expectNothingLost(): Promise<void> {
    for (let starts = 0; starts < 2; starts += 1) {
      const next = await OwnerProcess.start(dataDir);
      expect(await next.query('SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
      await next.end();
    }
  }

  it('A data folder left by a killed service is taken over from the server that outlived its service', async () => {
    const orphan = await serverPid(dataDir);
    await service.kill();
    expect(isAlive(orphan)).toBe(true);
    await expectNothingLost();
    expect(isAlive(orphan)).toBe(false);
  });

  it('A data folder left by a killed service is taken over after service and server were killed together', async () => {
    const server = await serverPid(dataDir);
    // Kills the service first, because it would restart a killed server.
    await service.kill();
    process.kill(server, 'SIGKILL');
    await expectNothingLost();
  });

  it("A data folder left by a killed service is taken over when another process now has the killed server's process ID", async () => {
    const server = await serverPid(dataDir);
    await service.kill();
    process.kill(server, 'SIGKILL');
    await eventually(() => !isAlive(server));
    const stranger = spawn('sleep', ['60']);
    await once(stranger, 'spawn');
    const record = join(dataDir, 'postgres', 'postmaster.pid');
    const lines = (await readFile(record, 'utf8')).split('\n');
    await writeFile(record, [String(stranger.pid), ...lines.slice(1)].join('\n'));
    await expectNothingLost();
    expect(stranger.exitCode).toBeNull();
    expect(stranger.signalCode).toBeNull();
    stranger.kill();
  });

  it('A data folder left by a killed service gets a new password when the file with the old one is lost', async () => {
    await service.end();
    await rm(join(dataDir, 'postgres-password'));
    await expectNothingLost();
  });

  it('A data folder left by a killed service is initialized again when the first start was killed before it was complete', async () => {
    await service.end();
    const folder = join(dataDir, 'postgres');
    await rename(folder, `${folder}.partial`);
    const next = await OwnerProcess.start(dataDir);
    expect(await next.query(`SELECT to_regclass('kept') AS kept`)).toEqual([{ kept: null }]);
  });
});
