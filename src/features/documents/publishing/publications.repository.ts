import { Injectable } from '@nestjs/common';
import { insertAuditEntries, type AuditRow } from '../../audit/audit.repository.js';
import type { Access } from '../../auth/access/access.js';
import { Coalescer, type Outcome } from '../../../platform/database/concurrency/coalescer.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { runWithEvents } from '../../events/events.repository.js';
import { insertEvents, type EventRow } from '../../events/outbox.js';
import {
  AUTHOR_COLUMNS,
  authorOf,
  type AuthorRow,
} from '../../content/versioning/versioned-resource.js';
import { readNumberedItems, type Page } from '../../../platform/http/pagination/read-page.js';
import type { PageQueryDto } from '../../../platform/http/pagination/page-query.dto.js';
import type { Person } from '../../auth/person.js';
import { STICKY_FIELDS, type Document } from '../model/document-fields.js';
import {
  DOCUMENT_JOINS,
  fromRow,
  PUBLICATION_COLUMNS,
  PUBLISHED_INSERTED,
  PUBLISHED_VALUES,
  RECORD,
  recordsOf,
  toRow,
  type DocumentRow,
} from '../model/document-row.js';

/** A document as readers get it. */
export interface Publication {
  /** Its version is the published one, and its status is `published`. */
  document: Document;
  /** Counts the publications of the document. */
  number: number;
  publishedAt: Date;
  firstPublishedAt: Date;
}

/** How long websites may reuse a response with a publication. */
export interface CachePolicy {
  cacheSeconds: number;
  sharedCache: boolean;
}

/** A publication with the cache policy of its account. */
export interface ReadPublication extends Publication, CachePolicy {}

type PublicationRow = DocumentRow &
  Pick<Document, 'accountId' | 'content'> &
  Omit<ReadPublication, 'document'>;

const PUBLICATION = `${PUBLICATION_COLUMNS}, item.account_id AS "accountId", item.content, item.number,
  item.published_at AS "publishedAt", item.first_published_at AS "firstPublishedAt"`;

/** Like `documents.find`. No publication is shown while publishing is off. */
const FIND: Statement = {
  name: 'publications.find',
  text: `WITH wanted AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1::json) AS wanted (id uuid, account_id uuid)
    )
    SELECT ${PUBLICATION}, settings.cache_seconds AS "cacheSeconds", settings.shared_cache AS "sharedCache"
      FROM wanted JOIN publications AS item ON item.id = wanted.id AND item.account_id = wanted.account_id ${DOCUMENT_JOINS}
      JOIN publishing_settings AS settings ON settings.account_id = item.account_id AND settings.enabled
     WHERE item.id = ANY (ARRAY(SELECT id FROM wanted)) AND item.deleted_at IS NULL`,
};

/** Reads the publication of a locked document. */
const FIND_LOCKED: Statement = {
  name: 'publications.find-locked',
  text: `SELECT ${PUBLICATION} FROM publications AS item ${DOCUMENT_JOINS} WHERE item.id = $1 AND item.account_id = $2`,
};

const NEXT_NUMBERS: Statement = {
  name: 'publications.next-numbers',
  text: `SELECT id, (SELECT coalesce(max(number), 0) + 1 FROM publication_history WHERE document_id = wanted.id AND account_id = $2) AS number
           FROM unnest($1::uuid[]) AS wanted (id)`,
};

/** The last version from `$3` on that changed only the fields `$4` of the version before. */
const LAST_WITH_SAME_TEXT: Statement = {
  name: 'publications.last-with-same-text',
  text: `SELECT coalesce(min(number) - 1, (SELECT version FROM documents WHERE id = $1 AND account_id = $2)) AS version
           FROM (SELECT number, changes FROM document_versions WHERE document_id = $1 AND account_id = $2 AND number > $3
                 UNION ALL
                 SELECT version, version_changes FROM documents WHERE id = $1 AND account_id = $2 AND version > $3) AS later
          WHERE NOT changes <@ $4::text[]`,
};

/**
 * For the version `$2` of each document `$1`, the first version with the same text and metadata, and whether a version
 * from there on was published despite its problems. `$4` are the fields that do not count.
 */
const SAME_TEXTS: Statement = {
  name: 'publications.same-texts',
  text: `SELECT wanted.id, since.number AS first, EXISTS (
             SELECT FROM publication_history AS history
              WHERE history.document_id = wanted.id AND history.account_id = $3 AND history.overridden
                AND history.version BETWEEN since.number AND wanted.version) AS "isOverridden"
           FROM unnest($1::uuid[], $2::integer[]) AS wanted (id, version)
          CROSS JOIN LATERAL (
            SELECT number FROM (
              SELECT version AS number, coalesce(version_changes, '{}') AS changes
                FROM documents WHERE id = wanted.id AND account_id = $3
              UNION ALL
              SELECT number, changes FROM document_versions WHERE document_id = wanted.id AND account_id = $3) AS made
             WHERE number <= wanted.version AND (changes = '{}' OR NOT changes <@ $4::text[])
             ORDER BY number DESC LIMIT 1) AS since`,
};

const COLUMNS = `${PUBLISHED_INSERTED}, version_author, number, published_at, first_published_at`;

/** Writes what readers get: the documents `$1`, each with its author and number, at `$2` by `$3`. */
const PUBLISH: Statement = {
  name: 'publications.publish',
  text: `WITH given AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1::json) AS document (${RECORD}, author uuid, publication integer, overridden boolean)
    ), ended AS (
      UPDATE publication_history SET ended_at = $2::timestamptz
       WHERE document_id = ANY (ARRAY(SELECT id FROM given)) AND ended_at IS NULL
    ), noted AS (
      INSERT INTO publication_history (document_id, number, account_id, version, published_at, published_by, overridden)
      SELECT id, publication, account_id, version, $2::timestamptz, $3::uuid, overridden FROM given
    ), published AS (
      INSERT INTO publications (${COLUMNS})
      SELECT ${PUBLISHED_VALUES}, author, publication, $2::timestamptz,
             coalesce((SELECT published_at FROM publication_history AS first
                        WHERE first.document_id = given.id ORDER BY number LIMIT 1), $2::timestamptz)
        FROM given ORDER BY id
      ON CONFLICT (id) DO UPDATE SET ${COLUMNS.split(', ')
        .map((column) => `${column} = EXCLUDED.${column}`)
        .join(', ')}
      RETURNING id, content
    ), emitted AS (${insertEvents('$4', '', 'SELECT id, content FROM published')})
    ${insertAuditEntries('$5')}`,
};

/** Sets the published versions of documents that do not get a new version. */
const PIN: Statement = {
  name: 'publications.pin',
  text: `UPDATE documents SET published_version = pin.version, has_unpublished_changes = pin.changed
           FROM unnest($2::uuid[], $3::integer[], $4::boolean[]) AS pin (id, version, changed)
          WHERE documents.id = pin.id AND documents.id = ANY ($2::uuid[]) AND account_id = $1`,
};

/** Ends the publication of document `$1` at `$2`. */
const END: Statement = {
  name: 'publications.end',
  text: `WITH ended AS (
      UPDATE publication_history SET ended_at = $2::timestamptz WHERE document_id = $1 AND ended_at IS NULL
    ), gone AS (
      DELETE FROM publications WHERE id = $1 RETURNING id, content
    ), emitted AS (${insertEvents('$3', '', 'SELECT id, content FROM gone')})
    ${insertAuditEntries('$4')}`,
};

/** Publications `$3` to `$4` of a document. */
const HISTORY: Statement = {
  name: 'publications.history',
  text: `SELECT history.number, history.version, history.published_at AS "publishedAt", history.ended_at AS "endedAt", ${AUTHOR_COLUMNS}
           FROM publication_history AS history LEFT JOIN users AS author ON author.id = history.published_by
          WHERE history.document_id = $1 AND history.account_id = $2 AND history.number BETWEEN $3 AND $4
          ORDER BY history.number`,
};

/** What readers saw, and when. */
export interface PastPublication {
  number: number;
  version: number;
  publishedAt: Date;
  /** Null if the service published it when publishing was turned on. */
  publishedBy: Person | null;
  /** Null while readers get it. */
  endedAt: Date | null;
}

/** What a publication or its end commits with. */
export interface Announcement {
  at: Date;
  event: EventRow;
  entry: AuditRow;
}

/** A version to publish. */
export interface NewPublication extends Omit<Announcement, 'at'> {
  document: Document;
  number: number;
  /** True if it has problems that somebody has overridden. */
  overridden: boolean;
}

/** Where the text of a version begins. */
interface SameText {
  /** The first version with this text and metadata. */
  first: number;
  /** True if it was published despite its problems. */
  isOverridden: boolean;
}

interface DocumentKey {
  id: string;
  account_id: string;
}

/** Reads and writes what readers of documents get. Writers hold the document's lock. */
@Injectable()
export class PublicationsRepository {
  private readonly reads: Coalescer<DocumentKey, ReadPublication | undefined>;

  constructor(private readonly database: Database) {
    this.reads = new Coalescer((batch) => this.findAll(batch), { maxBatch: 32, maxInFlight: 4 });
  }

  /** Returns undefined if there is none, the document is in the trash, or the access does not include it. */
  async find(access: Access, id: string): Promise<ReadPublication | undefined> {
    const found = await this.reads.submit({ account_id: access.accountId, id });
    return found && access.includes(found.document) ? found : undefined;
  }

  /** Returns the publication of a document that the caller has locked. */
  async findLocked({ id, accountId }: Document): Promise<Publication | undefined> {
    const [row] = await this.database.run<PublicationRow>(FIND_LOCKED, [id, accountId]);
    return row && fromPublicationRow(row);
  }

  /** Returns the number of the next publication of documents of one account, by UUID. */
  async nextNumbers(documents: readonly Document[]): Promise<Map<string, number>> {
    const ids = documents.map(({ id }) => id);
    const rows = await this.database.run<{ id: string; number: number }>(NEXT_NUMBERS, [
      ids,
      documents[0]?.accountId,
    ]);
    return new Map(rows.map(({ id, number }) => [id, number]));
  }

  /** Returns one page of what readers saw. Numbers have no gaps. Throws `bad_request` for a cursor of another list. */
  async page(document: Document, query: PageQueryDto): Promise<Page<PastPublication>> {
    const { id, accountId } = document;
    const next = (await this.nextNumbers([document])).get(id) ?? 1;
    const read = async (first: number, last: number): Promise<PastPublication[]> => {
      const values = [id, accountId, first, last];
      const rows = await this.database.run<PastPublication & AuthorRow>(HISTORY, values);
      return rows.map(({ number, version, publishedAt, endedAt, ...author }) => ({
        number,
        version,
        publishedAt,
        publishedBy: authorOf(author),
        endedAt,
      }));
    };
    return readNumberedItems({ ownerId: id, total: next - 1, read }, query);
  }

  /** Returns the last version whose text and metadata are those of this version. */
  async lastWithSameText({ id, accountId, version }: Document, from: number): Promise<number> {
    const values = [id, accountId, from, STICKY_FIELDS];
    const [row] = await this.database.run<{ version: number }>(LAST_WITH_SAME_TEXT, values);
    return row?.version ?? version;
  }

  /** Returns where the texts of these versions begin, by UUID of the document. */
  async sameTexts(
    accountId: string,
    versions: readonly Document[],
  ): Promise<Map<string, SameText>> {
    if (versions.length === 0) return new Map();
    const ids = versions.map(({ id }) => id);
    const numbers = versions.map(({ version }) => version);
    const values = [ids, numbers, accountId, STICKY_FIELDS];
    const rows = await this.database.run<SameText & { id: string }>(SAME_TEXTS, values);
    return new Map(rows.map(({ id, ...text }) => [id, text]));
  }

  /** Makes the documents what readers get. `by` is the UUID of a person. */
  async publish(publications: readonly NewPublication[], at: Date, by: string): Promise<void> {
    const rows = publications.map(({ document, number, overridden }) => {
      const { createdBy, updatedBy, content } = document;
      const author = updatedBy.id === createdBy.id ? null : updatedBy.id;
      const row = { ...toRow(document), author, publication: number, overridden };
      return [row, JSON.stringify(content)] as const;
    });
    const events = publications.map(({ event }) => event);
    const entries = publications.map(({ entry }) => entry);
    const values = [recordsOf(rows), at, by, JSON.stringify(events), JSON.stringify(entries)];
    await runWithEvents(this.database, PUBLISH, values, events);
  }

  /** Sets the published versions of documents of one account. */
  async pin(documents: readonly Document[]): Promise<void> {
    await this.database.run(PIN, [
      documents[0]?.accountId,
      documents.map(({ id }) => id),
      documents.map(({ publishedVersion }) => publishedVersion),
      documents.map(({ hasUnpublishedChanges }) => hasUnpublishedChanges),
    ]);
  }

  async end({ id }: Document, { at, event, entry }: Announcement): Promise<void> {
    const values = [id, at, JSON.stringify([event]), JSON.stringify([entry])];
    await runWithEvents(this.database, END, values, [event]);
  }

  private async findAll(batch: DocumentKey[]): Promise<Outcome<ReadPublication | undefined>[]> {
    const keys = new Map(batch.map((key) => [key.account_id + key.id, key]));
    const rows = await this.database.run<PublicationRow>(FIND, [
      JSON.stringify([...keys.values()]),
    ]);
    const found = new Map(
      rows.map((row) => {
        const { cacheSeconds, sharedCache } = row;
        const read = { ...fromPublicationRow(row), cacheSeconds, sharedCache };
        return [row.accountId + row.id, read];
      }),
    );
    return batch.map(({ account_id, id }) => ({ result: found.get(account_id + id) }));
  }
}

function fromPublicationRow(row: PublicationRow): Publication {
  const { accountId, content, number, publishedAt, firstPublishedAt } = row;
  // The document is what readers get, which says nothing about unpublished changes.
  const own = { accountId, content, publishedVersion: null, hasUnpublishedChanges: false };
  return { document: { ...fromRow(row), ...own }, number, publishedAt, firstPublishedAt };
}
