import type { Executor, Statement } from '../../database/database.js';
import { lineProblem } from './line-problem.js';

const BATCH = 1_000;

/** Gone with the transaction; on disk where it is large. */
const MAKE: Statement = {
  name: 'archive.make-ids',
  text: 'CREATE TEMPORARY TABLE archive_ids (id uuid PRIMARY KEY) ON COMMIT DROP',
};

const ADD: Statement = {
  name: 'archive.add-ids',
  text: `INSERT INTO archive_ids SELECT unnest($1::uuid[]) ON CONFLICT DO NOTHING RETURNING id`,
};

/** Finds an id that an archive has twice, however many there are. */
export class UniqueIds {
  private waiting: { line: number; uuid: string; id: unknown }[] = [];

  private constructor(private readonly executor: Executor) {}

  /** In the transaction of `executor`, which must be one. */
  static async in(executor: Executor): Promise<UniqueIds> {
    await executor.run(MAKE, []);
    return new UniqueIds(executor);
  }

  async add(line: number, uuid: string, id: unknown): Promise<void> {
    this.waiting.push({ line, uuid, id });
    if (this.waiting.length >= BATCH) await this.end();
  }

  /** Throws `bad_request` when an id was there before. */
  async end(): Promise<void> {
    const { waiting } = this;
    this.waiting = [];
    if (waiting.length === 0) return;
    const rows = await this.executor.run<{ id: string }>(ADD, [waiting.map(({ uuid }) => uuid)]);
    const fresh = new Set(rows.map(({ id }) => id));
    for (const { line, uuid, id } of waiting) {
      // A second one of the same batch finds its id taken out already.
      if (!fresh.delete(uuid)) {
        throw lineProblem(line, 'id', `is ${String(id)}, which an earlier line has already`);
      }
    }
  }
}
