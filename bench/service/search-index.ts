import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

const POLL_MS = 100;

/** Resolves when a worker has indexed all changes of documents. */
export async function untilIndexed(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query<{ waiting: boolean }>(
        'SELECT EXISTS (SELECT FROM search_changes) AS waiting',
      );
      if (rows[0]?.waiting === false) return;
      await pause(POLL_MS);
    }
  } finally {
    await client.end();
  }
}
