import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Access, PlacedDocument } from '../auth/access/access.js';
import { isShownIn, shownCollections } from '../auth/access/document-places.js';
import { Database, type Statement } from '../../platform/database/database.js';
import {
  filterConditions,
  type FilterConditions,
} from '../../platform/http/pagination/filter-conditions.js';
import {
  readPage,
  restricted,
  type Listing,
  type Page,
  type PageRequest,
} from '../../platform/http/pagination/read-page.js';
import { peopleOf, type PeopleRow } from '../documents/model/document-row.js';
import { ReleaseEntity, ReleaseItemEntity } from './entities/releases.entities.js';
import {
  ANALYSIS_MINUTES,
  MAX_HOURS_LATE,
  type Release,
  type ReleaseItem,
  type ReleaseProblem,
  type ReleaseStatus,
} from './release.js';

export const RELEASE_SORTS = ['created_at', 'updated_at', 'publish_at'] as const;
export type ReleaseSort = (typeof RELEASE_SORTS)[number];

/** Filters of a list, combined with AND. The ID is a UUID. */
export interface ReleaseFilter {
  statuses?: readonly ReleaseStatus[] | undefined;
  documentId?: string | undefined;
  publishAfter?: Date | undefined;
  publishBefore?: Date | undefined;
}

const CONDITIONS: FilterConditions<ReleaseFilter> = {
  statuses: (value) => `item.status = ANY (${value}::text[])`,
  documentId: (value) =>
    `EXISTS (SELECT FROM release_items WHERE release_id = item.id AND document_id = ${value}::uuid)`,
  publishAfter: (value) => `item.publish_at >= ${value}::timestamptz`,
  publishBefore: (value) => `item.publish_at < ${value}::timestamptz`,
};

/** True if the release has a document in one of these collections, also in the trash. */
const hasVisibleItem = (collections: string) =>
  `EXISTS (SELECT FROM release_items AS part JOIN documents ON documents.id = part.document_id AND documents.account_id = $1
            WHERE part.release_id = item.id AND ${isShownIn('documents.collection_id', collections)})`;

const COLUMNS = `item.id, item.account_id AS "accountId", item.title, item.status, item.publish_at AS "publishAt",
  item.time_zone AS "timeZone", item.version, item.created_at AS "createdAt", item.updated_at AS "updatedAt",
  item.finished_at AS "finishedAt", creator.id AS "creatorId", creator.name AS "creatorName", creator.email AS "creatorEmail",
  nullif(item.updated_by, item.created_by) AS "editorId", editor.name AS "editorName", editor.email AS "editorEmail"`;

const JOINS = `CROSS JOIN LATERAL (SELECT * FROM users WHERE users.id = item.created_by LIMIT 1) AS creator
  CROSS JOIN LATERAL (SELECT * FROM users WHERE users.id = item.updated_by LIMIT 1) AS editor`;

function releaseListing(filter: ReleaseFilter): Listing<ReleaseSort> {
  const { name, conditions, values } = filterConditions(CONDITIONS, filter, 2);
  const where = ['item.account_id = $1', ...conditions].join(' AND ');
  return {
    name: `releases-${name}`,
    table: 'releases',
    where,
    values,
    total: `SELECT count(*) AS n FROM releases AS item WHERE ${where}`,
    columns: COLUMNS,
    joins: JOINS,
    sorts: {
      created_at: { column: 'created_at', type: 'timestamptz' },
      updated_at: { column: 'updated_at', type: 'timestamptz' },
      publish_at: { column: 'listed_at', type: 'timestamptz' },
    },
  };
}

const FIND: Statement = {
  name: 'releases.find',
  text: `SELECT ${COLUMNS} FROM releases AS item ${JOINS} WHERE item.id = $2 AND item.account_id = $1`,
};
const LOCK: Statement = { name: 'releases.lock', text: `${FIND.text} FOR NO KEY UPDATE OF item` };

/** The pending schedules of document `$2`. */
const LOCK_SCHEDULES: Statement = {
  name: 'releases.lock-schedules',
  text: `SELECT ${COLUMNS} FROM releases AS item ${JOINS}
          WHERE item.account_id = $1 AND item.status = 'scheduled' AND item.title IS NULL
            AND item.id IN (SELECT release_id FROM release_items WHERE document_id = $2)
          ORDER BY item.id FOR NO KEY UPDATE OF item`,
};

const ITEMS: Statement = {
  name: 'releases.items',
  text: `SELECT item.release_id AS "releaseId", item.document_id AS "documentId", item.action, item.version, item.seen_number AS "seenNumber",
                item.outcome, item.problems, document.collection_id AS "collectionId", document.metadata
           FROM release_items AS item
           LEFT JOIN documents AS document ON document.id = item.document_id AND document.account_id = item.account_id
          WHERE item.release_id = ANY ($1::uuid[]) AND item.account_id = $2 ORDER BY item.release_id, item.position`,
};

/** Serializes what adds pending releases to an account, so that they can be counted. */
const LOCK_ADDING: Statement = {
  name: 'releases.lock-adding',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('releases' || $1::text, 0))`,
};
const COUNT_PENDING: Statement = {
  name: 'releases.count-pending',
  text: `SELECT count(*)::integer AS pending FROM releases WHERE account_id = $1 AND status IN ('open', 'scheduled')`,
};

const DOCUMENTS: Statement = {
  name: 'releases.documents',
  text: `SELECT id, collection_id AS "collectionId", metadata, version, octet_length(content) AS bytes,
                (SELECT coalesce(max(number), 0) FROM publication_history WHERE document_id = documents.id)::integer AS "lastNumber"
           FROM documents WHERE id = ANY ($2::uuid[]) AND account_id = $1 AND deleted_at IS NULL`,
};

const LIVE: Statement = {
  name: 'releases.live',
  text: `SELECT id, version, number, published_at AS "publishedAt" FROM publications
          WHERE id = ANY ($2::uuid[]) AND account_id = $1 AND deleted_at IS NULL`,
};

/** Documents of which this version or a later one has been published since the version was fixed. */
const SUPERSEDED: Statement = {
  name: 'releases.superseded',
  text: `SELECT item.document_id AS id FROM release_items AS item
          WHERE item.release_id = $1 AND item.account_id = $2 AND item.action = 'publish'
            AND EXISTS (SELECT FROM publication_history AS history
                         WHERE history.document_id = item.document_id AND history.number > item.seen_number
                           AND history.version >= item.version)`,
};

/** By the database's clock and by `$1`, the clock of this process, whose times the events have. */
const NOW = 'least(clock_timestamp(), $1::timestamptz)';

/**
 * Claims a release that is due. Accounts take turns: the next release of each has the same chance. The sub-select lets the
 * index find what is due.
 */
const CLAIM: Statement = {
  name: 'releases.claim',
  text: `WITH due AS MATERIALIZED (
      SELECT DISTINCT ON (account_id) id FROM releases AS item
       WHERE status = 'scheduled' AND due_at <= (SELECT ${NOW})
         AND EXISTS (SELECT FROM accounts WHERE accounts.id = item.account_id AND suspended_at IS NULL)
       ORDER BY account_id, due_at, id
    )
    SELECT ${COLUMNS}, item.publish_at < ${NOW} - interval '${String(MAX_HOURS_LATE)} hours' AS "isLate"
      FROM due JOIN releases AS item ON item.id = due.id ${JOINS}
     WHERE item.status = 'scheduled' AND item.due_at <= ${NOW}
     ORDER BY random() LIMIT 1 FOR NO KEY UPDATE OF item SKIP LOCKED`,
};

/**
 * Takes a scheduled release of an account with publication rules, whose missing analyses are not ordered since its last
 * change, or since {@link ANALYSIS_MINUTES} before it is due.
 */
const CLAIM_UNCHECKED: Statement = {
  name: 'releases.claim-unchecked',
  text: `UPDATE releases SET checks_ordered_at = $1 WHERE id = (
      SELECT item.id FROM publishing_settings AS settings JOIN releases AS item ON item.account_id = settings.account_id
       WHERE settings.enabled AND settings.rules <> '[]' AND item.status = 'scheduled'
         AND (item.checks_ordered_at IS NULL OR (
           item.publish_at <= $1::timestamptz + interval '${String(ANALYSIS_MINUTES)} minutes'
           AND item.checks_ordered_at < item.publish_at - interval '${String(ANALYSIS_MINUTES)} minutes'))
       ORDER BY item.publish_at LIMIT 1 FOR NO KEY UPDATE OF item SKIP LOCKED)
    RETURNING id, account_id AS "accountId"`,
};

const RETRY_SECONDS = 10;
const POSTPONE: Statement = {
  name: 'releases.postpone',
  text: `UPDATE releases SET due_at = clock_timestamp() + interval '${String(RETRY_SECONDS)} seconds' WHERE id = $1 AND status = 'scheduled'`,
};

type ReleaseRow = Omit<Release, 'items' | 'createdBy' | 'updatedBy'> & PeopleRow;
interface ItemRow extends Omit<ReleaseItem, 'problems' | 'place'> {
  releaseId: string;
  problems: string | null;
  collectionId: string | null;
  metadata: string | null;
}

/** A document that a release can name. */
export interface ReleasableDocument extends PlacedDocument {
  version: number;
  /** Size of the current content in UTF-8. */
  bytes: number;
  /** The number of its last publication; 0 without one. */
  lastNumber: number;
}

/** What readers of a document get. */
export interface LivePublication {
  version: number;
  number: number;
  publishedAt: Date;
}

/** A release to publish now. */
export interface ClaimedRelease extends Release {
  /** True if it should have been published long ago. */
  isLate: boolean;
}

/** Stores releases. IDs are UUIDs. */
@Injectable()
export class ReleasesRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(ReleaseEntity) private readonly releases: Repository<ReleaseEntity>,
    @InjectRepository(ReleaseItemEntity) private readonly items: Repository<ReleaseItemEntity>,
  ) {}

  /** Lists the releases with a document that the caller can see. Throws `bad_request` for a cursor of another list. */
  async list(
    access: Access,
    filter: ReleaseFilter,
    request: PageRequest<ReleaseSort>,
  ): Promise<Page<Release>> {
    const { accountId } = access;
    const shown = shownCollections(access);
    const listing = releaseListing(filter);
    const { rows, pagination } = await readPage<ReleaseRow, ReleaseSort>(
      this.database,
      shown ? restricted(listing, hasVisibleItem, [shown]) : listing,
      accountId,
      request,
    );
    return { rows: await this.withItems(accountId, rows), pagination };
  }

  async find(accountId: string, id: string): Promise<Release | undefined> {
    return this.one(FIND, accountId, id);
  }

  /** Locks the release until the transaction ends. */
  async lock(accountId: string, id: string): Promise<Release | undefined> {
    return this.one(LOCK, accountId, id);
  }

  /** Locks the pending schedules of a document. */
  async lockSchedules(accountId: string, documentId: string): Promise<Release[]> {
    const rows = await this.database.run<ReleaseRow>(LOCK_SCHEDULES, [accountId, documentId]);
    return this.withItems(accountId, rows);
  }

  /** Blocks others who add pending releases until the transaction ends. */
  async lockAdding(accountId: string): Promise<void> {
    await this.database.run(LOCK_ADDING, [accountId]);
  }

  async countPending(accountId: string): Promise<number> {
    const [row] = await this.database.run<{ pending: number }>(COUNT_PENDING, [accountId]);
    return row?.pending ?? 0;
  }

  /** Returns those of the documents that the caller can see, without those in the trash, by UUID. */
  async documents(
    access: Access,
    ids: readonly string[],
  ): Promise<Map<string, ReleasableDocument>> {
    const rows = await this.database.run<ReleasableDocument>(DOCUMENTS, [access.accountId, ids]);
    return new Map(rows.filter((row) => access.includes(row)).map((row) => [row.id, row]));
  }

  /** Returns what readers of these documents get, by UUID. */
  async live(accountId: string, ids: readonly string[]): Promise<Map<string, LivePublication>> {
    const rows = await this.database.run<LivePublication & { id: string }>(LIVE, [accountId, ids]);
    return new Map(rows.map(({ id, ...publication }) => [id, publication]));
  }

  /** Returns the documents of the release that it skips, because a newer version has been published. */
  async superseded({ id, accountId }: Release): Promise<Set<string>> {
    const rows = await this.database.run<{ id: string }>(SUPERSEDED, [id, accountId]);
    return new Set(rows.map((row) => row.id));
  }

  /** Locks a release that is due, until the transaction ends. `now` is the time of this process. */
  async claim(now: Date): Promise<ClaimedRelease | undefined> {
    const [row] = await this.database.run<ReleaseRow & { isLate: boolean }>(CLAIM, [now]);
    if (!row) return undefined;
    const [release] = await this.withItems(row.accountId, [row]);
    return release && { ...release, isLate: row.isLate };
  }

  /** Returns a scheduled release whose missing analyses must be ordered. No other worker gets it for now. */
  async claimUnchecked(now: Date): Promise<Release | undefined> {
    const [row] = await this.database.run<Pick<Release, 'id' | 'accountId'>>(CLAIM_UNCHECKED, [
      now,
    ]);
    return row && this.find(row.accountId, row.id);
  }

  /** Makes workers wait before they try again. */
  async postpone(id: string): Promise<void> {
    await this.database.run(POSTPONE, [id]);
  }

  async insert(release: Release): Promise<void> {
    await this.releases.insert(rowOf(release));
    await this.insertItems(release);
  }

  /** `items` is true if they changed. */
  async update(release: Release, { items }: { items: boolean }): Promise<void> {
    const { id, accountId } = release;
    await this.releases.update({ id, accountId }, rowOf(release));
    if (!items) return;
    await this.items.delete({ releaseId: id, accountId });
    await this.insertItems(release);
  }

  async delete({ id, accountId }: Release): Promise<void> {
    await this.releases.delete({ id, accountId });
  }

  private async one(
    statement: Statement,
    accountId: string,
    id: string,
  ): Promise<Release | undefined> {
    const rows = await this.database.run<ReleaseRow>(statement, [accountId, id]);
    const [release] = await this.withItems(accountId, rows);
    return release;
  }

  private async insertItems({ id: releaseId, accountId, items }: Release): Promise<void> {
    await this.items.insert(
      items.map(({ documentId, action, version, seenNumber, outcome, problems }, position) => ({
        releaseId,
        documentId,
        action,
        version,
        seenNumber,
        outcome,
        accountId,
        position,
        problems: problems.length === 0 ? null : [...problems],
      })),
    );
  }

  private async withItems(accountId: string, rows: readonly ReleaseRow[]): Promise<Release[]> {
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const items = new Map(ids.map((id): [string, ReleaseItem[]] => [id, []]));
    for (const row of await this.database.run<ItemRow>(ITEMS, [ids, accountId]))
      items.get(row.releaseId)?.push(itemOf(row));
    return rows.map((row) => fromRow(row, items.get(row.id) ?? []));
  }
}

function fromRow(row: ReleaseRow, items: readonly ReleaseItem[]): Release {
  const { id, accountId, title, status, publishAt, timeZone, version } = row;
  const { createdAt, updatedAt, finishedAt } = row;
  return {
    id,
    accountId,
    title,
    status,
    publishAt,
    timeZone,
    version,
    createdAt,
    updatedAt,
    finishedAt,
    ...peopleOf(row),
    items,
  };
}

function itemOf(row: ItemRow): ReleaseItem {
  const { documentId, action, version, seenNumber, outcome, problems } = row;
  const { collectionId, metadata } = row;
  return {
    documentId,
    action,
    version,
    seenNumber,
    outcome,
    problems: problems === null ? [] : (JSON.parse(problems) as ReleaseProblem[]),
    place:
      collectionId === null || metadata === null
        ? null
        : { id: documentId, collectionId, metadata },
  };
}

function rowOf(release: Release): ReleaseEntity {
  const { id, accountId, title, status, publishAt, timeZone, version } = release;
  const { createdBy, updatedBy, createdAt, updatedAt, finishedAt } = release;
  return {
    id,
    accountId,
    title,
    status,
    publishAt,
    timeZone,
    dueAt: status === 'scheduled' ? publishAt : null,
    listedAt: publishAt ?? createdAt,
    checksOrderedAt: null,
    version,
    createdBy: createdBy.id,
    updatedBy: updatedBy.id,
    createdAt,
    updatedAt,
    finishedAt,
  };
}
