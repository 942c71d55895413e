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

describe('The claim of a data folder', () => {
  it('is held by exactly one of many that want it at once, also where killed processes left theirs', async () => {
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

  it('tells a guest who holds it and, once that runs, where the database listens', async () => {
    const lock = (await claimDataFolder(folder, 'command')) as DataFolderLock;
    const holder = (await claimDataFolder(folder, 'service')) as FolderHolder;
    expect(holder).toMatchObject({ pid: process.pid, purpose: 'command' });
    lock.announce(20_001);
    expect(await holder.databasePort()).toBe(20_001);
    holder.leave();
    await lock.release();
  });

  it('works in a folder with a path longer than a socket may have', async () => {
    const deep = await mkdtemp(join(folder, 'x'.repeat(200)));
    const lock = (await claimDataFolder(deep, 'service')) as DataFolderLock;
    expect(await claimDataFolder(deep, 'service')).toBeInstanceOf(FolderHolder);
    await lock.release();
  });
});
