import type { Executor, Statement } from '../../database/database.js';
import { encodeId, type IdKind } from '../../identifiers/identifiers.js';
import { lineProblem } from './line-problem.js';

const BATCH = 1_000;

/** Gone with the transaction; on disk where it is large. */
const MAKE: Statement = {
  name: 'archive.make-ids',
  text: `CREATE TEMPORARY TABLE archive_ids (
           kind text, id uuid, CONSTRAINT archive_ids_pkey PRIMARY KEY (kind, id)) ON COMMIT DROP`,
};

const ADD: Statement = {
  name: 'archive.add-ids',
  text: `INSERT INTO archive_ids (kind, id) SELECT $1, unnest($2::uuid[]) ON CONFLICT DO NOTHING RETURNING id`,
};

/** Finds an id that an archive has twice, however many there are. */
export class UniqueIds {
  private waiting: { line: number; id: string }[] = [];

  private constructor(
    private readonly executor: Executor,
    private readonly kind: IdKind,
  ) {}

  /** For ids of several kinds, in the transaction of `executor`, which must be one. */
  static async in(executor: Executor): Promise<(kind: IdKind) => UniqueIds> {
    await executor.run(MAKE, []);
    return (kind) => new UniqueIds(executor, kind);
  }

  /** Takes a UUID. Throws as {@link end} does. */
  async add(id: string, line: number): Promise<void> {
    this.waiting.push({ line, id });
    if (this.waiting.length >= BATCH) await this.end();
  }

  /** Throws `bad_request` when an id was there before. */
  async end(): Promise<void> {
    const { waiting, kind } = this;
    this.waiting = [];
    if (waiting.length === 0) return;
    const values = [kind, waiting.map(({ id }) => id)];
    const rows = await this.executor.run<{ id: string }>(ADD, values);
    const fresh = new Set(rows.map(({ id }) => id));
    for (const { line, id } of waiting) {
      // A second one of the same batch finds its id taken out already.
      if (!fresh.delete(id)) {
        throw lineProblem(
          line,
          'id',
          `is ${encodeId(kind, id)}, which an earlier line has already`,
        );
      }
    }
  }
}
