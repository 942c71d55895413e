import type { Database } from '../../../platform/database/database.js';
import { storedBytes } from '../../documents/model/document-fields.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import type { RecordCounts } from '../archive-format.js';
import { addIds, createIdTable } from '../archive.repository.js';
import type { ArchivedDocument } from '../sections/document-archive.repository.js';
import { lineProblem } from './archive-records.js';
import type { ArchiveSinks, SectionSink } from './section-import.js';

const MAX_IDS_PER_STATEMENT = 1_000;

/** The record counts of a valid archive, and the quota it needs: versions and templates need as much as the text they hold. */
export interface ValidArchive {
  counts: RecordCounts;
  claim: { documents: number; bytes: number };
}

/** Validates every record that `read` passes to the sinks. Call it in a transaction. Throws `bad_request` with the first line. */
export async function validateArchive(
  database: Database,
  read: (sinks: ArchiveSinks) => Promise<RecordCounts>,
): Promise<ValidArchive> {
  await createIdTable(database);
  const claim = { documents: 0, bytes: 0 };
  const weigh = (record: object) => (claim.bytes += textBytes(record));
  const counts = await read({
    // Their sections have checked them.
    publishing: () => undefined,
    collections: () => Promise.resolve(),
    templates: checkIds(database, 'template', weigh, weigh),
    documents: {
      ...checkIds(
        database,
        'document',
        (document: ArchivedDocument) => {
          claim.documents += 1;
          claim.bytes += storedBytes(document);
        },
        weigh,
      ),
      addPublication: () => Promise.resolve(),
    },
  });
  return { counts, claim };
}

/** Returns a sink that checks that ids are unique. */
function checkIds<Resource extends Identified, Version extends object>(
  database: Database,
  kind: 'document' | 'template',
  weigh: (resource: Resource) => void,
  weighVersion: (version: Version) => void,
): SectionSink<Resource, Version> {
  const ids = new UniqueIds(database, kind, (id) => ({
    field: 'id',
    issue: `is ${encodeId(kind, id)}, which an earlier line already uses`,
  }));
  const externalIds = new UniqueIds(database, `${kind} external`, (id) => ({
    field: 'externalId',
    issue: `is '${id}', which an earlier document already uses`,
  }));
  return {
    async add(resource, line) {
      weigh(resource);
      await ids.add(resource.id, line);
      const { externalId, deletedAt } = resource;
      // Documents in the trash may share an external id.
      if (externalId != null && !deletedAt) await externalIds.add(externalId, line);
    },
    addVersion: (version) => {
      weighVersion(version);
      return Promise.resolve();
    },
    async end() {
      await ids.end();
      await externalIds.end();
    },
  };
}

/** Returns the length of all texts in a record, in bytes of UTF-8. Objects such as metadata are texts, too. */
function textBytes(record: object): number {
  return Object.values(record).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? Buffer.byteLength(value) : 0),
    0,
  );
}

interface Identified {
  id: string;
  externalId?: string | null;
  deletedAt?: Date | null;
}

/** Finds duplicate ids in archives of any size, with a temporary table. */
class UniqueIds {
  private pending: { line: number; id: string }[] = [];

  constructor(
    private readonly database: Database,
    private readonly kind: string,
    private readonly problemOf: (id: string) => FieldProblem,
  ) {}

  /** Throws like {@link end}. */
  async add(id: string, line: number): Promise<void> {
    this.pending.push({ line, id });
    if (this.pending.length >= MAX_IDS_PER_STATEMENT) await this.end();
  }

  /** Throws `bad_request` for a duplicate id. */
  async end(): Promise<void> {
    const { pending } = this;
    this.pending = [];
    if (pending.length === 0) return;
    const ids = pending.map(({ id }) => id);
    const added = await addIds(this.database, this.kind, ids);
    for (const { line, id } of pending) {
      // `delete` also detects a duplicate within the batch.
      if (!added.delete(id)) {
        const { field, issue } = this.problemOf(id);
        throw lineProblem(line, field, issue);
      }
    }
  }
}
