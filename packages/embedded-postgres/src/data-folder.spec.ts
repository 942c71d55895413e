import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDataFolder } from './data-folder.js';

describe('the data folder', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'data-folder-'));
  });
  afterAll(() => rm(root, { recursive: true }));

  it('the data folder is created with its parents, only for its owner, unless it exists', async () => {
    const path = join(root, 'a', 'b', 'c');
    await createDataFolder(path);
    await createDataFolder(path);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  });

  it('the data folder cannot be below a file, or where no folder can be created', async () => {
    await writeFile(join(root, 'file'), '');
    await expect(createDataFolder(join(root, 'file', 'x'))).rejects.toMatchObject({
      code: 'ENOTDIR',
    });
    if (process.platform === 'linux') {
      await expect(createDataFolder('/proc/no-such/folder')).rejects.toMatchObject({
        code: 'ENOENT',
      });
    }
  });
});
