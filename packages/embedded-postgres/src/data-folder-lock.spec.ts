import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimDataFolder, DataFolderLock } from './data-folder-lock.js';
import { FolderHolder } from './data-folder-sockets.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'data-folder-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Leaves a socket without a listener, as a killed process does. */
function leaveSocket(name: string): void {
  const script = `require('net').createServer().listen(process.argv[1], () => process.exit())`;
  execFileSync(process.execPath, ['-e', script, name], { cwd: folder });
}

describe('The lock of a data folder', () => {
  it('the lock goes to exactly one of several simultaneous claims, even after killed processes left their sockets', async () => {
    for (let round = 0; round < 5; round += 1) {
      leaveSocket(`lock.left${String(round)}`);
      const claims = await Promise.all(
        Array.from({ length: 12 }, () => claimDataFolder(folder, 'service')),
      );
      const locks = claims.filter((claim) => claim instanceof DataFolderLock);
      expect(locks).toHaveLength(1);
      const holders = claims.filter((claim) => claim instanceof FolderHolder);
      expect(new Set(holders.map(({ pid }) => pid))).toEqual(new Set([process.pid]));
      expect(await readdir(folder)).toHaveLength(1);
      await locks[0]?.release();
      expect(await readdir(folder)).toEqual([]);
    }
  });

  it('the lock tells guests which process holds it and, once the database runs, its port', async () => {
    const lock = (await claimDataFolder(folder, 'command')) as DataFolderLock;
    const holder = (await claimDataFolder(folder, 'service')) as FolderHolder;
    expect(holder).toMatchObject({ pid: process.pid, purpose: 'command' });
    lock.announce(20_001);
    expect(await holder.databasePort()).toBe(20_001);
    holder.disconnect();
    await lock.release();
  });

  it('the lock works in a folder whose path is longer than a socket path can be', async () => {
    const deep = await mkdtemp(join(folder, 'x'.repeat(200)));
    const lock = (await claimDataFolder(deep, 'service')) as DataFolderLock;
    expect(await claimDataFolder(deep, 'service')).toBeInstanceOf(FolderHolder);
    await lock.release();
  });
});
