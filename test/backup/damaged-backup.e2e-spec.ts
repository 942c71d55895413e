import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { ClientBase } from 'pg';
import { restoreBackup } from '../../src/entrypoints/cli/backup/restore-backup.js';
import { writeBackup } from '../../src/entrypoints/cli/backup/write-backup.js';
import { withClient } from '../../src/entrypoints/cli/backup/backup-command.js';
import { migrationStatus } from '../../src/platform/database/migrations.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { propertyRuns } from '../support/property-runs.js';

let folder: string;
let app: TestApp;
let backup: Buffer;
let migrations: string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'document-service-damaged-'));
  app = await startTestApp();
  const { api } = await app.account();
  for (const title of ['one', 'two', 'three']) {
    await api.createDocument({ title, content: `${title} ❦ `.repeat(200), metadata: { title } });
  }
  migrations = (await migrationStatus(app.dataSource)).map(({ name }) => name);
  const file = join(folder, 'whole.backup');
  const options = { migrations, secretsKey: 'a key', now: app.clock.now() };
  await withClient(app.dataSource, (client) => writeBackup(client, file, options));
  backup = await readFile(file);
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

/** Thrown if everything is as it was written. */
class Whole extends Error {}

/** Restores the backup and rolls back. */
async function restore(client: ClientBase, content: Uint8Array): Promise<unknown> {
  const file = join(folder, 'other.backup');
  await writeFile(file, content);
  const beforeCommit = () => Promise.reject(new Whole());
  const restored = restoreBackup(client, file, { migrations, replace: true, beforeCommit });
  return restored.catch((error: unknown) => error);
}

it('restore reports a backup with any byte altered as damaged, unless nothing was lost', () =>
  withClient(app.dataSource, (client) =>
    fc.assert(
      fc.asyncProperty(
        fc.nat({ max: backup.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (place, bits) => {
          const altered = Buffer.from(backup);
          altered.writeUInt8(altered.readUInt8(place) ^ bits, place);
          const failure = await restore(client, altered);
          if (failure instanceof Whole) return;
          expect(String(failure)).toMatch(
            /other\.backup is (damaged: .*Nothing was restored|not a backup)/,
          );
        },
      ),
      { numRuns: propertyRuns(100) },
    ),
  ));
