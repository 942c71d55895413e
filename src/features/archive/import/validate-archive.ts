import type { Database, Statement } from '../../../platform/database/database.js';
import { storedBytes } from '../../documents/document-fields.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import type { RecordCounts } from '../archive-format.js';
import { lineProblem } from './archive-records.js';
import type { ArchiveSinks, SectionSink } from './section-import.js';

const IDS_AT_ONCE = 1_000;

/** Gone with the transaction; on disk where it is large. */
const MAKE_IDS: Statement = {
  name: 'archive.make-ids',
  text: `CREATE TEMPORARY TABLE archive_ids (
           kind text, id text, CONSTRAINT archive_ids_pkey PRIMARY KEY (kind, id)) ON COMMIT DROP`,
};

const ADD_IDS: Statement = {
  name: 'archive.add-ids',
  text: `INSERT INTO archive_ids (kind, id) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING RETURNING id`,
};

/** An archive in which nothing is wrong: how much of everything it has, and the room that takes. */
export interface ValidArchive {
  counts: RecordCounts;
  claim: { documents: number; bytes: number };
}

/**
 * Checks every record; `read` reads the archive once. Runs in a transaction. Throws `bad_request` with the line of the
 * first problem.
 */
export async function validateArchive(
  database: Database,
  read: (sinks: ArchiveSinks) => Promise<RecordCounts>,
): Promise<ValidArchive> {
  await database.run(MAKE_IDS, []);
  const claim = { documents: 0, bytes: 0 };
  const counts = await read({
    templates: checkIds(database, 'template', () => undefined),
    documents: checkIds(database, 'document', (document) => {
      claim.documents += 1;
      claim.bytes += storedBytes(document);
    }),
  });
  return { counts, claim };
}

/** What is left to check when each record is right. */
function checkIds<Thing extends Identified>(
  database: Database,
  kind: 'document' | 'template',
  weigh: (thing: Thing) => void,
): SectionSink<Thing, unknown> {
  const ids = new UniqueIds(database, kind, (id) => ({
    field: 'id',
    issue: `is ${encodeId(kind, id)}, which an earlier line has already`,
  }));
  const externalIds = new UniqueIds(database, `${kind} external`, (id) => ({
    field: 'externalId',
    issue: `is '${id}', which an earlier document has already`,
  }));
  return {
    async add(thing, line) {
      weigh(thing);
      await ids.add(thing.id, line);
      const { externalId, deletedAt } = thing;
      // Those in the trash may have what others have.
      if (externalId != null && !deletedAt) await externalIds.add(externalId, line);
    },
    addVersion: () => Promise.resolve(),
    async end() {
      await ids.end();
      await externalIds.end();
    },
  };
}

/** What says which thing it is. */
interface Identified {
  id: string;
  externalId?: string | null;
  deletedAt?: Date | null;
}

/** Finds an id that an archive has twice, however many there are. */
class UniqueIds {
  private waiting: { line: number; id: string }[] = [];

  constructor(
    private readonly database: Database,
    private readonly kind: string,
    private readonly problemOf: (id: string) => FieldProblem,
  ) {}

  /** Throws as {@link end} does. */
  async add(id: string, line: number): Promise<void> {
    this.waiting.push({ line, id });
    if (this.waiting.length >= IDS_AT_ONCE) await this.end();
  }

  /** Throws `bad_request` when an id was there before. */
  async end(): Promise<void> {
    const { waiting, kind } = this;
    this.waiting = [];
    if (waiting.length === 0) return;
    const values = [kind, waiting.map(({ id }) => id)];
    const rows = await this.database.run<{ id: string }>(ADD_IDS, values);
    const fresh = new Set(rows.map(({ id }) => id));
    for (const { line, id } of waiting) {
      // A second one of the same batch finds its id taken out already.
      if (!fresh.delete(id)) {
        const { field, issue } = this.problemOf(id);
        throw lineProblem(line, field, issue);
      }
    }
  }
}
