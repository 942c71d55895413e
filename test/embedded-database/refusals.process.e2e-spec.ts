import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanUp, endAll, newDataDir, OwnerProcess } from '../support/postgres-owner-process.js';

describe('The embedded database says in one sentence what to do', () => {
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await newDataDir();
    await (await OwnerProcess.start(dataDir)).end();
  });
  afterEach(endAll);
  afterAll(cleanUp);

  async function failureOn(folder: string): Promise<string> {
    const { failure = 'it started' } = await OwnerProcess.start(folder);
    return failure.replace('EmbeddedPostgresError: ', '');
  }

  it('The embedded database says in one sentence what to do when a different major version created the data folder', async () => {
    const version = join(dataDir, 'postgres', 'PG_VERSION');
    const made = await readFile(version, 'utf8');
    await writeFile(version, '15\n');
    expect(await failureOn(dataDir)).toMatch(
      /was created by PostgreSQL 15, but this release includes PostgreSQL \d+: dump the database/,
    );
    await writeFile(version, made);
  });

  it('The embedded database says in one sentence what to do when there are other files in the place of the database, which it leaves alone', async () => {
    const taken = await newDataDir();
    await mkdir(join(taken, 'postgres'));
    const notes = join(taken, 'postgres', 'notes.txt');
    await writeFile(notes, 'mine');
    expect(await failureOn(taken)).toMatch(/is not a PostgreSQL data folder: move it/);
    expect(await readFile(notes, 'utf8')).toBe('mine');
  });

  it('The embedded database says in one sentence what to do when the data folder is a file', async () => {
    const file = join(dataDir, 'file');
    await writeFile(file, '');
    expect(await failureOn(file)).toMatch(/set DATA_DIR to a folder, not to a file/);
    expect(await failureOn(join(file, 'below'))).toMatch(/set DATA_DIR to a folder, not to a file/);
  });

  it('The embedded database says in one sentence what to do when the server settings are invalid', async () => {
    await writeFile(join(dataDir, 'postgres', 'postgresql.conf'), 'no such = setting\n');
    const failure = await failureOn(dataDir);
    expect(failure).toMatch(/^The embedded PostgreSQL did not start in \S+ \(.*\): .*\.$/);
    expect(failure).not.toContain('\n');
  });
});
