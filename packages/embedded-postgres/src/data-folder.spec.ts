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

  it('is made with its parents, for its owner only, and may be there already', async () => {
    const path = join(root, 'a', 'b', 'c');
    await createDataFolder(path);
    await createDataFolder(path);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  });

  it('is refused below a file and where no folder can be made', async () => {
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
