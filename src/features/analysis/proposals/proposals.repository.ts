import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../../platform/database/database.js';
import {
  BY_CREATION,
  type CreationSort,
} from '../../../platform/http/pagination/page-query.dto.js';
import {
  readPage,
  restricted,
  type Listing,
  type Page,
  type PageRequest,
} from '../../../platform/http/pagination/read-page.js';
import type { Access } from '../../auth/access/access.js';
import { isShownIn, placeOf, shownCollections } from '../../auth/access/document-places.js';
import type { EnhancementEntity } from '../enhancements/enhancement.entity.js';
import { countsOf } from '../enhancements/enhancement.js';
import {
  HEAD,
  JOINS,
  MAKE_ROOM,
  OF_DOCUMENT,
  type EnhancementHead,
} from '../enhancements/enhancements.repository.js';

/** Proposals have no job; the column holds the id of the row. */
const INSERT_PROPOSAL: Statement = {
  name: 'enhancements.insert-proposal',
  text: `${MAKE_ROOM}
    INSERT INTO enhancements (account_id, document_id, id, job_id, base_version, text_version, status, automatic, goals,
                              settings, suggestions, counts, notes, engine, is_proposal, is_open_proposal, key_id, message,
                              field_changes, created_by, created_at, updated_at)
    VALUES ($1, $2, $3, $3, $4, $5, 'proposed', false, '[]', $6::json, $7::json, $8::json, $9::json, $10::json, true, true,
            $11, $12, $13::json, $14, $15, $15)`,
};

/** Makes proposals of one account count one after another, until their transactions end. */
const LOCK_OPEN: Statement = {
  name: 'enhancements.lock-open-proposals',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('open-proposals' || $1::text, 0))`,
};

/** Counts open proposals of the document and the account, up to `$3` and `$4`. */
const COUNT_OPEN: Statement = {
  name: 'enhancements.count-open-proposals',
  text: `SELECT (SELECT count(*)::integer FROM (
             SELECT FROM enhancements AS item WHERE ${OF_DOCUMENT} AND is_open_proposal LIMIT $3) AS found) AS "ofDocument",
           (SELECT count(*)::integer FROM (
             SELECT FROM enhancements AS item WHERE item.account_id = $1 AND is_open_proposal LIMIT $4) AS found) AS "ofAccount"`,
};

/** Selects which ids are dismissed in the document, or open in one of its proposals. */
const TAKEN: Statement = {
  name: 'enhancements.taken-ids',
  text: `SELECT fingerprint AS id, 'rejected' AS reason FROM dismissals AS item
          WHERE ${OF_DOCUMENT} AND fingerprint = ANY ($3::text[])
         UNION ALL
         SELECT change ->> 'id', 'already proposed'
           FROM enhancements AS item,
                LATERAL (SELECT json_array_elements(item.suggestions)
                          UNION ALL SELECT json_array_elements(item.field_changes)) AS made (change)
          WHERE ${OF_DOCUMENT} AND item.is_open_proposal AND change ->> 'status' = 'open'
            AND change ->> 'id' = ANY ($3::text[])`,
};

type NewProposal = Pick<
  EnhancementEntity,
  | 'id'
  | 'accountId'
  | 'documentId'
  | 'baseVersion'
  | 'textVersion'
  | 'settings'
  | 'suggestions'
  | 'fieldChanges'
  | 'notes'
  | 'engine'
  | 'keyId'
  | 'message'
  | 'createdBy'
  | 'createdAt'
>;

/** Filters of the list of proposals. Ids are UUIDs. */
interface ProposalFilters {
  status: 'open' | 'decided';
  documentId?: string | undefined;
  keyId?: string | undefined;
  createdBy?: string | undefined;
}

/** Why a change is not proposed again. */
interface TakenId {
  id: string;
  reason: 'rejected' | 'already proposed';
}

/** The greatest total of the list of proposals. */
const MAX_TOTAL = 10_000;

/** The partial index that serves each status has this condition. */
const OF_STATUS = {
  open: 'item.is_open_proposal',
  decided: 'item.is_proposal AND NOT item.is_open_proposal',
} as const;
const FILTERS = { documentId: 'document_id', keyId: 'key_id', createdBy: 'created_by' } as const;
const FILTER_NAMES = Object.keys(FILTERS) as (keyof typeof FILTERS)[];

/** `$1` is the account. The values of the given filters follow, in order. */
function proposalListing(
  filters: ProposalFilters,
  shown: readonly string[] | undefined,
): Listing<CreationSort> {
  const given = FILTER_NAMES.filter((name) => filters[name] !== undefined);
  const where = [
    'item.account_id = $1',
    OF_STATUS[filters.status],
    ...given.map((name, index) => `item.${FILTERS[name]} = $${String(index + 2)}::uuid`),
    'EXISTS (SELECT FROM documents WHERE documents.id = item.document_id AND documents.deleted_at IS NULL)',
  ].join(' AND ');
  const listing: Listing<CreationSort> = {
    name: ['proposals', filters.status, ...given.map((name) => name.charAt(0))].join('-'),
    table: 'enhancements',
    where,
    values: given.map((name) => filters[name]),
    total: `SELECT count(*) AS n FROM (SELECT FROM enhancements AS item WHERE ${where} LIMIT ${String(MAX_TOTAL + 1)}) AS found`,
    totalLimit: MAX_TOTAL,
    columns: HEAD,
    joins: JOINS,
    sorts: BY_CREATION,
  };
  const isShown = (collections: string) => isShownIn(placeOf('item.document_id'), collections);
  return shown ? restricted(listing, isShown, [shown], { totalLimit: MAX_TOTAL }) : listing;
}

/** Stored proposals, which are rows of enhancements. Ids are UUIDs. */
@Injectable()
export class ProposalsRepository {
  constructor(private readonly database: Database) {}

  /** Returns one page of the proposals of the documents outside the trash that the caller sees. */
  list(
    access: Access,
    filters: ProposalFilters,
    request: PageRequest<CreationSort>,
  ): Promise<Page<EnhancementHead>> {
    const listing = proposalListing(filters, shownCollections(access));
    return readPage(this.database, listing, access.accountId, request);
  }

  /** Adds an open proposal. Lock the document before. */
  async insert(made: NewProposal): Promise<void> {
    await this.database.run(INSERT_PROPOSAL, [
      made.accountId,
      made.documentId,
      made.id,
      made.baseVersion,
      made.textVersion,
      JSON.stringify(made.settings),
      JSON.stringify(made.suggestions),
      JSON.stringify(countsOf([...made.suggestions, ...made.fieldChanges])),
      JSON.stringify(made.notes),
      JSON.stringify(made.engine),
      made.keyId,
      made.message,
      JSON.stringify(made.fieldChanges),
      made.createdBy,
      made.createdAt,
    ]);
  }

  /**
   * Returns the number of open proposals, at most the limits. No other transaction adds one to the account until the
   * caller's transaction ends. Lock the document before.
   */
  async countOpen(
    accountId: string,
    documentId: string,
    limits: { ofDocument: number; ofAccount: number },
  ): Promise<{ ofDocument: number; ofAccount: number }> {
    await this.database.run(LOCK_OPEN, [accountId]);
    const values = [accountId, documentId, limits.ofDocument, limits.ofAccount];
    const [row] = await this.database.run<typeof limits>(COUNT_OPEN, values);
    return row ?? { ofDocument: 0, ofAccount: 0 };
  }

  /** Returns the ids that were rejected in the document or are open in one of its proposals. */
  takenIds(accountId: string, documentId: string, ids: readonly string[]): Promise<TakenId[]> {
    return this.database.run<TakenId>(TAKEN, [accountId, documentId, ids]);
  }
}
