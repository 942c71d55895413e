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

describe('The key of the secrets', () => {
  it('is 32 bytes that stay the same from start to start', async () => {
    const first = await load(folder);
    expect(first).toHaveLength(32);
    expect(await load(folder)).toEqual(first);
  });

  it('stands beside the former ones while they are needed', async () => {
    const key = await load(folder);
    const next = { key: Buffer.alloc(32, 1), previous: [key, Buffer.alloc(32, 2)] };
    await writeSecretsKeys(folder, next);
    expect(await loadOrCreateSecretsKeys(folder)).toEqual(next);
  });

  it('is that of the settings where they name one, and former ones are read beside both', async () => {
    const own = await load(folder);
    const [key, former] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const settings = { DATA_DIR: folder, SECRETS_KEY: undefined, SECRETS_KEY_PREVIOUS: [former] };
    expect(await secretsKeysOf(settings)).toEqual({ key: own, previous: [former] });
    expect(await secretsKeysOf({ ...settings, SECRETS_KEY: key })).toEqual({
      key,
      previous: [former],
    });
  });

  it('is one key when two processes make it at once', async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, () => load(folder)));
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
  });

  it('lies in a folder that only its owner enters', async () => {
    const made = join(folder, 'data');
    await load(made);
    expect((await stat(made)).mode & 0o777).toBe(0o700);
  });

  it('is never made anew where a file holds something else: what it encrypted would be lost', async () => {
    const path = join(folder, 'secrets.key');
    for (const text of ['', 'c2hvcnQ=']) {
      await writeFile(path, text);
      await expect(load(folder)).rejects.toThrow(
        'does not hold a key of 32 bytes in base64. Restore it from a backup',
      );
      expect(await readFile(path, 'utf8')).toBe(text);
    }
  });

  it('says in a sentence that the folder cannot be one', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    await expect(load(file)).rejects.toThrow(/^Cannot (read|write) the secrets key/);
  });
});
