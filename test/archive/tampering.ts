import { createHash } from 'node:crypto';
import { BackgroundTasks } from '../../src/platform/background/background-tasks.js';
import type { TestApp } from '../support/app.js';
import type { ApiClient } from '../support/api-client.js';
import { expectFailure } from '../support/envelope.js';
import { endOf, exportedArchive } from '../support/jobs.js';
import { recordsIn } from './account-state.js';

export type ArchiveRecord = Record<string, any>;

/** Returns an archive of these records with correct numbers and checksum. */
export function sealed(records: (ArchiveRecord | string)[]): string {
  const named = records.filter((record): record is ArchiveRecord => typeof record === 'object');
  const counts: Record<string, number> = {};
  for (const { record } of named.slice(1, -1)) {
    counts[String(record)] = (counts[String(record)] ?? 0) + 1;
  }
  const lines = records.slice(0, -1).map((record, index) => {
    if (typeof record === 'string') return record;
    return JSON.stringify(index === 0 ? { ...record, counts } : record);
  });
  const body = lines.map((line) => `${line}\n`).join('');
  const sha256 = createHash('sha256').update(body).digest('hex');
  return `${body}${JSON.stringify({ record: 'end', counts, sha256 })}\n`;
}

/** The archive of an account with two documents of three versions each, which tests change before the import. */
export class Original {
  private constructor(readonly records: ArchiveRecord[]) {}

  static async of(app: TestApp): Promise<Original> {
    const { api } = await app.account();
    for (const title of ['One', 'Two']) {
      const { body } = await api.createDocument({ title, content: 'a', metadata: { tags: ['x'] } });
      const { id } = body.data as { id: string };
      await api.patchDocument(id, { content: 'b' });
      await api.patchDocument(id, { content: 'c' });
    }
    return new Original(recordsIn(await exportedArchive(api)));
  }

  get first(): ArchiveRecord {
    return this.records[0] ?? {};
  }

  get last(): ArchiveRecord {
    return this.records.at(-1) ?? {};
  }

  /** The unchanged archive. */
  text(): string {
    return sealed(this.records);
  }

  /** Returns the line number of the nth record of this kind, starting at 1. */
  lineOf(name: string, nth = 0): number {
    const wanted = this.records.filter(({ record }) => record === name)[nth];
    return this.records.findIndex((record) => record === wanted) + 1;
  }

  /** Changes the first record of this kind. */
  changed(
    name: string,
    change: ArchiveRecord | ((record: ArchiveRecord) => ArchiveRecord | string),
  ): string {
    const index = this.lineOf(name) - 1;
    const record = this.records[index] ?? {};
    const other = typeof change === 'function' ? change(record) : { ...record, ...change };
    return sealed(this.records.toSpliced(index, 1, other as ArchiveRecord));
  }

  /** Removes the nth record of this kind. */
  without(name: string, nth = 0): string {
    return sealed(this.records.toSpliced(this.lineOf(name, nth) - 1, 1));
  }
}

/** Returns the number of rows that an account has in the database. */
export async function rowsOf(app: TestApp, accountId: string): Promise<Record<string, number>> {
  const [counts] = await app.dataSource.query<Record<string, number>[]>(
    `SELECT (SELECT count(*)::int FROM documents WHERE account_id = $1) AS documents,
            (SELECT count(*)::int FROM document_versions WHERE account_id = $1) AS versions,
            (SELECT count(*)::int FROM templates WHERE account_id = $1) AS templates,
            (SELECT count(*)::int FROM template_versions WHERE account_id = $1) AS template_versions,
            (SELECT count(*)::int FROM events WHERE account_id = $1) AS events,
            (SELECT count(*)::int FROM audit_log WHERE account_id = $1) AS entries,
            (SELECT count(*)::int FROM stored_files WHERE account_id = $1) AS files,
            (SELECT coalesce(sum(count), 0)::int FROM row_counts
              WHERE account_id = $1 AND kind <> 'request_log') AS counted`,
    [accountId],
  );
  return counts ?? {};
}

interface Refusal {
  code: string;
  message: string;
  details: any;
}

/** Imports the archive into a new account, which must be empty afterwards. Returns the error of the request or the job. */
export async function refusal(app: TestApp, archive: string | Buffer): Promise<Refusal> {
  const { api, accountId } = await app.account();
  const error = await errorOf(api, archive);
  expect(error.message).toMatch(/^[A-Z].*\.$/);
  await app.app.get(BackgroundTasks).runAll();
  for (const count of Object.values(await rowsOf(app, accountId))) expect(count).toBe(0);
  return error;
}

/** The first line is checked at once, the others by the job. */
async function errorOf(api: ApiClient, archive: string | Buffer): Promise<Refusal> {
  const response = await api.importAccount(archive);
  if (response.status !== 202) {
    expectFailure(response, 400, 'INVALID_REQUEST');
    return response.body.error as Refusal;
  }
  const job = await endOf(api, response);
  expect(job).toMatchObject({ status: 'failed', result: null });
  return job.error ?? { code: '', message: '', details: null };
}

/** What is wrong, how to create it, the line that the error must name (if any), and the expected message. */
export type Tampering = [string, () => string, (() => number) | undefined, RegExp];

/** Fails unless the import is refused with this message. */
export async function expectRefused(
  app: TestApp,
  archive: string,
  line: number | undefined,
  message: RegExp,
): Promise<void> {
  const error = await refusal(app, archive);
  expect(error).toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringMatching(message) as string,
  });
  if (line === undefined) return;
  expect(error.details).toMatchObject({ line });
  expect(error.message).toMatch(new RegExp(`^Line ${String(line)}:`));
}
