import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createTestDatabase, databaseUrl, runOn, type TestDatabase } from '../support/postgres.js';

/** Restores the dump of a release into a new database. */
export async function restoreRelease(folder: string): Promise<TestDatabase> {
  const base = await createTestDatabase();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runOn(base.url, `CREATE DATABASE ${name}`);
  const url = databaseUrl(base.url, name);
  await runOn(url, gunzipSync(readFileSync(join(folder, 'dump.sql.gz'))).toString());
  return {
    url,
    drop: async () => {
      await runOn(base.url, `DROP DATABASE ${name} WITH (FORCE)`);
      await base.drop();
    },
  };
}
