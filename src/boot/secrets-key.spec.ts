import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadOrCreateSecretsKey } from './secrets-key.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secrets-key-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('The key of the secrets', () => {
  it('is 32 bytes that stay the same from start to start', async () => {
    const first = await loadOrCreateSecretsKey(folder);
    expect(first).toHaveLength(32);
    expect(await loadOrCreateSecretsKey(folder)).toEqual(first);
  });

  it('is one key when two processes make it at once', async () => {
    const keys = await Promise.all(
      Array.from({ length: 10 }, () => loadOrCreateSecretsKey(folder)),
    );
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
  });

  it('lies in a folder that only its owner enters', async () => {
    const made = join(folder, 'data');
    await loadOrCreateSecretsKey(made);
    expect((await stat(made)).mode & 0o777).toBe(0o700);
  });

  it('is never made anew where a file holds something else: what it encrypted would be lost', async () => {
    const path = join(folder, 'secrets.key');
    for (const text of ['', 'c2hvcnQ=']) {
      await writeFile(path, text);
      await expect(loadOrCreateSecretsKey(folder)).rejects.toThrow(
        'does not hold a key of 32 bytes in base64. Restore it from a backup',
      );
      expect(await readFile(path, 'utf8')).toBe(text);
    }
  });

  it('says in a sentence that the folder cannot be one', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    await expect(loadOrCreateSecretsKey(file)).rejects.toThrow(
      /^Cannot (read|write) the secrets key/,
    );
  });
});
