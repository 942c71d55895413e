import type { Person } from '../../auth/person.js';
import type { Database, Statement } from '../../database/database.js';
import { newUuid } from '../../identifiers/identifiers.js';
import { excerptOf, type Document, type VersionedField } from '../document-fields.js';
import {
  INSERTED,
  INSERTED_VALUES,
  KEPT_COLUMNS,
  KEPT_RECORD,
  KEPT_RECORD_VALUES,
  RECORD,
  toRow,
  toVersionRow,
} from '../document-row.js';
import { keepContent, makeDelta } from '../../versions/reverse-deltas.js';
import type { ArchivedDocument, ArchivedVersion } from './archived-document.js';

type ArchivedState = Pick<Document, VersionedField>;

const BATCH_ROWS = 500;
const BATCH_BYTES = 4 * 1024 ** 2;

/** What a row of `documents` has beside the fields of the document. */
const OWN_COLUMNS = 'deleted_at, version_author, version_changes, delta_bytes, delta_count';
const OWN_RECORD =
  'deleted_at timestamptz, version_author uuid, version_changes text[], delta_bytes integer, delta_count integer';

/** Nothing happens to a document whose id is taken, by whatever account; it gets another one. */
const INSERT: Statement = {
  name: 'documents.import',
  text: `INSERT INTO documents (${INSERTED}, ${OWN_COLUMNS})
    SELECT ${INSERTED_VALUES}, ${OWN_COLUMNS}
      FROM json_to_recordset($1::json) AS document (${RECORD}, ${OWN_RECORD})
    ON CONFLICT (id) DO NOTHING RETURNING id`,
};

const INSERT_VERSIONS: Statement = {
  name: 'document-versions.import',
  text: `INSERT INTO document_versions (document_id, number, account_id, content, content_delta, author, changes,
                                        created_at, ${KEPT_COLUMNS})
    SELECT document_id, number, $2, content, delta::json, author, changes, created_at, ${KEPT_RECORD_VALUES}
      FROM json_to_recordset($1::json) AS version (
        document_id uuid, number integer, content text, delta text, author uuid, changes text[],
        created_at timestamptz, ${KEPT_RECORD})`,
};

/** Of a document that had more versions than fit into a batch. */
const SET_DELTAS: Statement = {
  name: 'documents.import-deltas',
  text: 'UPDATE documents SET delta_bytes = $3, delta_count = $4 WHERE id = $1 AND account_id = $2',
};

/** A document under way into the account. */
interface Incoming {
  archived: ArchivedDocument;
  /** Its own where that is free. */
  id: string;
  written: boolean;
  /** Kept between it and the newest version that is kept whole. */
  deltas: Deltas;
}

interface Deltas {
  bytes: number;
  count: number;
}

interface IncomingVersion {
  owner: Incoming;
  version: ArchivedVersion;
  /** What it is kept as a delta of, and what it shares with. */
  newer: ArchivedState;
  delta: string | null;
}

/** What an import asks of what is around it. */
export interface ImportSurroundings {
  database: Pick<Database, 'run'>;
  accountId: string;
  /** The user of the account that a person of the archive is. */
  userOf: (person: Person) => string;
  templateOf: (templateId: string) => string;
  /** Told of a document that could not keep its id. */
  renamed: (from: string, to: string) => Promise<void>;
}

/**
 * Writes archived documents with their versions, which are kept as deltas again. Give each document, then its versions,
 * the newest first, and call `end` after the last one. Everything is in the transaction of the database.
 */
export class DocumentImport {
  private documents: Incoming[] = [];
  private versions: IncomingVersion[] = [];
  private bytes = 0;
  private current: Incoming | undefined;
  /** What the next version is a delta of. */
  private newer: ArchivedState | undefined;
  private run: Deltas = { bytes: 0, count: 0 };

  constructor(private readonly around: ImportSurroundings) {}

  async add(archived: ArchivedDocument): Promise<void> {
    await this.endDocument();
    await this.makeRoom();
    const deltas = { bytes: 0, count: 0 };
    this.current = { archived, id: archived.id, written: false, deltas };
    this.documents.push(this.current);
    this.newer = archived;
    this.run = deltas;
    this.bytes += archived.content.length + archived.metadata.length;
  }

  async addVersion(version: ArchivedVersion): Promise<void> {
    const { current: owner, newer } = this;
    if (!owner || !newer) throw new Error('A version came before its document.');
    await this.makeRoom();
    const { delta, deltaBytes, deltaCount } = keepContent(
      { content: version.content, deltaBytes: this.run.bytes, deltaCount: this.run.count },
      makeDelta(newer.content, version.content),
    );
    if (delta === null) this.run = { bytes: 0, count: 0 };
    else Object.assign(this.run, { bytes: deltaBytes, count: deltaCount });
    this.versions.push({
      owner,
      version,
      newer,
      delta,
    });
    this.newer = version;
    this.bytes += delta?.length ?? version.content.length;
  }

  async end(): Promise<void> {
    await this.endDocument();
    await this.flush();
  }

  /** A document that was written before its last version came has to be told what is kept of them. */
  private async endDocument(): Promise<void> {
    const { current } = this;
    this.current = undefined;
    if (!current?.written || current.deltas.count === 0) return;
    const { id, deltas } = current;
    const values = [id, this.around.accountId, deltas.bytes, deltas.count];
    await this.around.database.run(SET_DELTAS, values);
  }

  private async makeRoom(): Promise<void> {
    const rows = this.documents.length + this.versions.length;
    if (rows >= BATCH_ROWS || this.bytes >= BATCH_BYTES) await this.flush();
  }

  private async flush(): Promise<void> {
    const { documents, versions } = this;
    [this.documents, this.versions, this.bytes] = [[], [], 0];
    if (documents.length > 0) await this.writeDocuments(documents);
    if (versions.length > 0) await this.writeVersions(versions);
  }

  private async writeDocuments(documents: readonly Incoming[]): Promise<void> {
    let left = documents;
    while (left.length > 0) {
      const written = await this.insert(left);
      for (const document of left) document.written = written.has(document.id);
      left = left.filter((document) => !document.written);
      for (const document of left) {
        document.id = newUuid();
        await this.around.renamed(document.archived.id, document.id);
      }
    }
  }

  private async insert(documents: readonly Incoming[]): Promise<Set<string>> {
    const { database } = this.around;
    const rows = documents.map((document) => this.documentRow(document));
    const written = await database.run<{ id: string }>(INSERT, [JSON.stringify(rows)]);
    return new Set(written.map(({ id }) => id));
  }

  private async writeVersions(versions: readonly IncomingVersion[]): Promise<void> {
    const { database, accountId } = this.around;
    const rows = versions.map((version) => this.versionRow(version));
    await database.run(INSERT_VERSIONS, [JSON.stringify(rows), accountId]);
  }

  private documentRow({ archived, id, deltas }: Incoming): object {
    const { accountId, userOf, templateOf } = this.around;
    const { content, templateId, createdBy, version, author, changes, deletedAt } = archived;
    const document = {
      ...archived,
      id,
      accountId,
      excerpt: excerptOf(content),
      templateId: templateId === null ? null : templateOf(templateId),
      createdBy: { ...createdBy, id: userOf(createdBy) },
    };
    return {
      ...toRow(document),
      content,
      deleted_at: deletedAt,
      version_author: version === 1 ? null : userOf(author),
      version_changes: version === 1 ? null : changes,
      delta_bytes: deltas.bytes,
      delta_count: deltas.count,
    };
  }

  private versionRow({ owner, version, newer, delta }: IncomingVersion): object {
    return {
      ...toVersionRow(version, newer),
      document_id: owner.id,
      number: version.number,
      content: delta === null ? version.content : null,
      delta,
      author: this.around.userOf(version.author),
      changes: version.changes,
      created_at: version.createdAt,
    };
  }
}
