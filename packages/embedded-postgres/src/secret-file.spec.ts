import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecretFile, replaceSecretFile } from './secret-file.js';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secret-file-'));
  path = join(folder, 'secret');
});
afterEach(() => rm(folder, { recursive: true }));

describe('A secret file', () => {
  it.each([createSecretFile, replaceSecretFile])(
    'a secret file is readable only by its owner, and no temporary file remains (%p)',
    async (write) => {
      await write(path, 'text');
      expect(await readFile(path, 'utf8')).toBe('text');
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect(await readdir(folder)).toEqual(['secret']);
    },
  );

  it('a secret file keeps the text of the first of several simultaneous calls', async () => {
    const texts = Array.from({ length: 20 }, (_, index) => `text ${String(index)}`);
    await Promise.all(texts.map((text) => createSecretFile(path, text)));
    const kept = await readFile(path, 'utf8');
    expect(texts).toContain(kept);
    await createSecretFile(path, 'too late');
    expect(await readFile(path, 'utf8')).toBe(kept);
    expect(await readdir(folder)).toEqual(['secret']);
  });

  it('a secret file is replaced completely', async () => {
    await replaceSecretFile(path, 'a long first text');
    await replaceSecretFile(path, 'short');
    expect(await readFile(path, 'utf8')).toBe('short');
  });

  it('a secret file cannot be created in a missing folder', async () => {
    await expect(createSecretFile(join(folder, 'none', 'secret'), 'text')).rejects.toThrow(
      'ENOENT',
    );
  });
});
