import { z } from 'zod';
import { presentPerson, type Person } from '../../auth/person.js';
import {
  checked,
  oneOf,
  parseLine,
  person,
  someOf,
  throwProblems,
  time,
  uuid,
  wholeNumber,
} from '../../content/versioning/archive-schemas.js';
import {
  AUTHOR_COLUMNS,
  authorOf,
  type AuthorRow,
} from '../../content/versioning/versioned-resource.js';
import { DOCUMENT_TYPES } from '../../content/document-type.js';
import {
  MAX_ALLOWED,
  MAX_RULES,
  MAX_SCORE,
  OVERRIDERS,
} from '../../documents/publishing/publication-rules.js';
import {
  MAX_CACHE_SECONDS,
  type PublishingSettings,
} from '../../documents/publishing/publishing-settings.repository.js';
import type { PastPublication } from '../../documents/publishing/publications.repository.js';
import type { Database, Statement } from '../../../platform/database/database.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { MAX_INT32 } from '../../../platform/openapi/schemas.js';
import type { ArchiveRepository } from '../archive.repository.js';

/** The publishing settings in an archive. */
export type ArchivedPublishing = Pick<
  PublishingSettings,
  'enabled' | 'cacheSeconds' | 'sharedCache'
> &
  Partial<Pick<PublishingSettings, 'rules'>>;

/** The version of a document that readers get, and whether a later one has unpublished changes. */
export interface ArchivedPin {
  version: number;
  changed: boolean;
}

/** What readers of a document saw, and when. The publications of a document follow its versions, newest first. */
export interface ArchivedPublication extends PastPublication {
  /** UUID. */
  documentId: string;
}

/** Returns the publishing settings as a record: none if they were never changed. */
export async function readPublishing(
  { publishing }: ArchiveRepository,
  accountId: string,
): Promise<object[]> {
  const { enabled, cacheSeconds, sharedCache, rules, updatedAt } = await publishing.find(accountId);
  const archived = rules.length === 0 ? {} : { rules };
  return updatedAt === null ? [] : [{ enabled, cacheSeconds, sharedCache, ...archived, updatedAt }];
}

const BATCH_ROWS = 1_000;

/** Publications of the documents $1, of the first one those with numbers below $2, newest first. */
const READ: Statement = {
  name: 'publications.archive',
  text: `SELECT history.document_id AS "documentId", history.number, history.version,
                history.published_at AS "publishedAt", history.ended_at AS "endedAt", ${AUTHOR_COLUMNS}
           FROM unnest($1::uuid[]) WITH ORDINALITY AS wanted (id, place)
           JOIN publication_history AS history
             ON history.document_id = wanted.id AND history.account_id = $3 AND (wanted.place > 1 OR history.number < $2)
           LEFT JOIN users AS author ON author.id = history.published_by
          ORDER BY wanted.place, history.number DESC LIMIT ${String(BATCH_ROWS)}`,
};

/** Returns the publications of documents, document by document, newest first. */
export async function* readPublications(
  database: Database,
  accountId: string,
  documentIds: readonly string[],
): AsyncGenerator<ArchivedPublication> {
  let ids = documentIds;
  let below = MAX_INT32;
  for (;;) {
    const rows = await database.run<ArchivedPublication & AuthorRow>(READ, [ids, below, accountId]);
    for (const row of rows) {
      const { documentId, number, version, publishedAt, endedAt } = row;
      yield { documentId, number, version, publishedAt, publishedBy: authorOf(row), endedAt };
    }
    const last = rows.at(-1);
    if (!last || rows.length < BATCH_ROWS) return;
    ids = ids.slice(ids.indexOf(last.documentId));
    below = last.number;
  }
}

/** Returns a publication as a record. */
export function publicationRecord(publication: ArchivedPublication): object {
  const { documentId, number, version, publishedAt, publishedBy, endedAt } = publication;
  return {
    record: 'publication',
    documentId: encodeId('document', documentId),
    number,
    version,
    publishedAt,
    publishedBy: publishedBy && presentPerson(publishedBy),
    endedAt,
  };
}

const flag = checked<boolean>((value) =>
  typeof value === 'boolean' ? undefined : 'must be true or false',
);

const allowed = wholeNumber(0, MAX_ALLOWED).nullable();

const RULE_SCHEMA = z.strictObject({
  types: someOf(DOCUMENT_TYPES).nullable(),
  checks: z.strictObject({
    errors: allowed,
    minScore: wholeNumber(0, MAX_SCORE).nullable(),
    openSuggestions: allowed,
  }),
  override: oneOf(OVERRIDERS),
});

const PUBLISHING_SCHEMA = z.strictObject({
  record: oneOf(['publishing']),
  enabled: flag,
  cacheSeconds: wholeNumber(0, MAX_CACHE_SECONDS),
  sharedCache: flag,
  rules: z.array(RULE_SCHEMA).max(MAX_RULES).optional(),
  updatedAt: time,
});

/** Returns the publishing settings of a parsed line. Throws `bad_request` listing every problem. */
export function publishingOf(value: Record<string, unknown>): ArchivedPublishing {
  const { enabled, cacheSeconds, sharedCache, rules } = parseLine(PUBLISHING_SCHEMA, value);
  return { enabled, cacheSeconds, sharedCache, ...(rules && { rules }) };
}

export const PIN_SCHEMA = z.strictObject({ version: wholeNumber(1, MAX_INT32), changed: flag });

const SCHEMA = z.strictObject({
  record: oneOf(['publication']),
  documentId: uuid('document'),
  number: wholeNumber(1, MAX_INT32),
  version: wholeNumber(1, MAX_INT32),
  publishedAt: time,
  publishedBy: person.nullable(),
  endedAt: time.nullable(),
});

/** Returns the publication of a parsed line. Throws `bad_request` listing every problem. */
export function publicationOf(value: Record<string, unknown>, latest: Date): ArchivedPublication {
  const publication = parseLine(SCHEMA, value);
  const { publishedAt, endedAt } = publication;
  const times = Object.entries({ publishedAt, endedAt: endedAt ?? publishedAt });
  throwProblems(
    times
      .filter(([, time]) => time > latest)
      .map(([field]) => ({ field, issue: 'must not be in the future' })),
  );
  return publication;
}

const INSERT_HISTORY: Statement = {
  name: 'publications.import-history',
  text: `INSERT INTO publication_history (document_id, number, account_id, version, published_at, published_by, ended_at)
    SELECT document_id, number, $2, version, published_at, published_by, ended_at
      FROM json_to_recordset($1::json) AS publication (
        document_id uuid, number integer, version integer, published_at timestamptz, published_by uuid, ended_at timestamptz)`,
};

interface HistoryContext {
  database: Database;
  accountId: string;
  /** Returns the user of this account for a person in the archive. */
  userOf: (person: Person) => string;
}

/** Inserts publications. Their documents, whose IDs may be new, are stored already. */
export async function insertHistory(
  publications: readonly ArchivedPublication[],
  { database, accountId, userOf }: HistoryContext,
): Promise<void> {
  const rows = publications.map((publication) => ({
    document_id: publication.documentId,
    number: publication.number,
    version: publication.version,
    published_at: publication.publishedAt,
    published_by: publication.publishedBy && userOf(publication.publishedBy),
    ended_at: publication.endedAt,
  }));
  await database.run(INSERT_HISTORY, [JSON.stringify(rows), accountId]);
}
