import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadOrCreateSecretsKeys, secretsKeysOf, writeSecretsKeys } from './secrets-key.js';

let folder: string;
const load = async (dataDir: string) => (await loadOrCreateSecretsKeys(dataDir)).key;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secrets-key-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('The secrets key', () => {
  it('has 32 bytes and stays the same across starts', async () => {
    const first = await load(folder);
    expect(first).toHaveLength(32);
    expect(await load(folder)).toEqual(first);
  });

  it('is stored with the former keys while they are needed', async () => {
    const key = await load(folder);
    const next = { key: Buffer.alloc(32, 1), previous: [key, Buffer.alloc(32, 2)] };
    await writeSecretsKeys(folder, next);
    expect(await loadOrCreateSecretsKeys(folder)).toEqual(next);
  });

  it('comes from the settings if they have one, and former keys can still be read', async () => {
    const own = await load(folder);
    const [key, former] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const settings = { DATA_DIR: folder, SECRETS_KEY: undefined, SECRETS_KEY_PREVIOUS: [former] };
    expect(await secretsKeysOf(settings)).toEqual({ key: own, previous: [former] });
    expect(await secretsKeysOf({ ...settings, SECRETS_KEY: key })).toEqual({
      key,
      previous: [former],
    });
  });

  it('is the same for two processes that create it at the same time', async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, () => load(folder)));
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
  });

  it('is in a folder that only its owner can open', async () => {
    const made = join(folder, 'data');
    await load(made);
    expect((await stat(made)).mode & 0o777).toBe(0o700);
  });

  it('is never replaced if its file is invalid, because secrets encrypted with it would be lost', async () => {
    const path = join(folder, 'secrets.key');
    for (const text of ['', 'c2hvcnQ=']) {
      await writeFile(path, text);
      await expect(load(folder)).rejects.toThrow(
        'does not contain a key of 32 bytes in base64. Restore the file from a backup',
      );
      expect(await readFile(path, 'utf8')).toBe(text);
    }
  });

  it('fails with a sentence if the path is not a folder', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    await expect(load(file)).rejects.toThrow(/^Cannot (read|write) the secrets key/);
  });
});
