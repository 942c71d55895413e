import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { Database, type Statement } from '../../platform/database/database.js';
import {
  readPage,
  type Listing,
  type Page,
  type PageRequest,
} from '../../platform/http/pagination/read-page.js';
import type { Access } from '../auth/access/access.js';
import type { TreeCollection } from '../auth/access/rights.js';
import type { Collection, ListedCollection } from './collection.js';
import { CollectionEntity } from './entities/collection.entity.js';

export const COLLECTION_SORTS = ['name', 'created_at', 'updated_at'] as const;
export type CollectionSort = (typeof COLLECTION_SORTS)[number];

/** A collection in a list that can count documents. */
export type CountedCollection = ListedCollection & {
  /** Documents outside the trash. Undefined unless the list counts them. */
  documentCount?: string;
};

const STANDING = 'item.account_id = $1 AND item.deleted_at IS NULL';

/** An account has at most 1,000 collections, so the sorts need no index. */
const LISTING: Listing<CollectionSort> = {
  name: 'collections',
  table: 'collections',
  where: STANDING,
  total: `SELECT count(*) AS n FROM collections AS item WHERE ${STANDING}`,
  columns: `item.id, item.account_id AS "accountId", item.parent_id AS "parentId", item.name,
    item.access IS NOT NULL AS "isRestricted", item.version, item.created_at AS "createdAt", item.updated_at AS "updatedAt"`,
  sorts: {
    name: { column: 'name', type: 'text' },
    created_at: { column: 'created_at', type: 'timestamptz' },
    updated_at: { column: 'updated_at', type: 'timestamptz' },
  },
};

const COUNTED_LISTING: Listing<CollectionSort> = {
  ...LISTING,
  name: 'collections-counted',
  columns: `${LISTING.columns}, (
    SELECT count(*) FROM documents
     WHERE account_id = $1 AND collection_id = item.id AND deleted_at IS NULL) AS "documentCount"`,
};

const VISIBLE = `${STANDING} AND item.id = ANY ($2::uuid[])`;

function visibleOf(
  listing: Listing<CollectionSort>,
  ids: readonly string[],
): Listing<CollectionSort> {
  return {
    ...listing,
    name: `${listing.name}-visible`,
    where: VISIBLE,
    values: [ids],
    boundTo: { where: listing.where },
    total: `SELECT count(*) AS n FROM collections AS item WHERE ${VISIBLE}`,
  };
}

/** Conflicts with `inCollection`, so nothing is put into the collection until the transaction ends. */
const LOCK_EMPTYING: Statement = {
  name: 'collections.lock-emptying',
  text: 'SELECT id FROM collections WHERE id = $1 FOR UPDATE',
};

const IS_EMPTY: Statement = {
  name: 'collections.is-empty',
  text: `SELECT NOT EXISTS (SELECT FROM documents WHERE account_id = $1 AND collection_id = $2 AND deleted_at IS NULL)
            AND NOT EXISTS (SELECT FROM collections WHERE account_id = $1 AND parent_id = $2 AND deleted_at IS NULL) AS empty`,
};

const SOURCE: Statement = {
  name: 'collections.access-source',
  text: `WITH RECURSIVE line AS (
      SELECT id, parent_id, name, access, created_by FROM collections WHERE account_id = $1 AND id = $2
      UNION ALL
      SELECT above.id, above.parent_id, above.name, above.access, above.created_by
        FROM line JOIN collections AS above ON above.account_id = $1 AND above.id = line.parent_id
       WHERE line.access IS NULL
    ) SELECT id, name, access, created_by AS "createdBy" FROM line WHERE access IS NOT NULL`,
};

/** The collection whose access applies to another one. */
type AccessSource = Pick<Collection, 'id' | 'name' | 'access' | 'createdBy'>;

const REMOVAL_BATCH = 200;

/** One look-up for each of the two indexes of documents. */
const REMOVE_DELETED: Statement = {
  name: 'collections.remove-deleted',
  text: `DELETE FROM collections WHERE id IN (
      SELECT id FROM collections AS item
       WHERE deleted_at <= $1
         AND NOT EXISTS (SELECT FROM documents WHERE account_id = item.account_id AND collection_id = item.id AND deleted_at IS NULL)
         AND NOT EXISTS (SELECT FROM documents WHERE account_id = item.account_id AND collection_id = item.id AND deleted_at IS NOT NULL)
         AND NOT EXISTS (SELECT FROM collections AS child WHERE child.account_id = item.account_id AND child.parent_id = item.id)
       LIMIT ${String(REMOVAL_BATCH)} FOR UPDATE SKIP LOCKED)
    RETURNING id`,
};

/** The primary key of a collection, and the account that owns it. */
type CollectionKey = Pick<Collection, 'id' | 'accountId'>;

/** Stores collections. Ids are UUIDs. Callers that change the tree lock the account first. */
@Injectable()
export class CollectionsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(CollectionEntity) private readonly collections: Repository<CollectionEntity>,
  ) {}

  /** Lists the collections that the caller sees, without deleted ones. Throws `bad_request` for a cursor of another list. */
  list(
    access: Access,
    request: PageRequest<CollectionSort>,
    { counted }: { counted: boolean },
  ): Promise<Page<CountedCollection>> {
    const listing = counted ? COUNTED_LISTING : LISTING;
    const { accountId, rights } = access;
    const visible = access.isWhole ? listing : visibleOf(listing, rights?.visible ?? []);
    return readPage(this.database, visible, accountId, request);
  }

  find({ id, accountId }: CollectionKey): Promise<Collection | null> {
    return this.collections.findOneBy({ id, accountId, deletedAt: IsNull() });
  }

  /** Returns the collections of the account by name, without deleted ones. */
  all(accountId: string): Promise<Collection[]> {
    return this.collections.find({
      where: { accountId, deletedAt: IsNull() },
      order: { name: 'ASC', id: 'ASC' },
    });
  }

  /** Returns the tree of the account without deleted collections. */
  places(accountId: string): Promise<TreeCollection[]> {
    return this.collections.find({
      select: { id: true, parentId: true, access: true, createdBy: true },
      where: { accountId, deletedAt: IsNull() },
    });
  }

  /** Returns the nearest collection with its own access, from this one upwards; undefined if there is none. */
  async sourceOf({ id, accountId }: CollectionKey): Promise<AccessSource | undefined> {
    const [source] = await this.database.run<AccessSource>(SOURCE, [accountId, id]);
    return source;
  }

  async insert(collection: Collection): Promise<void> {
    await this.collections.insert({ ...collection, deletedAt: null });
  }

  async update({ id, accountId, ...fields }: Collection): Promise<void> {
    await this.collections.update({ id, accountId }, fields);
  }

  /** Marks a collection as deleted. Returns false, and changes nothing, if it contains documents or collections. */
  async delete({ id, accountId }: CollectionKey, at: Date): Promise<boolean> {
    await this.database.run(LOCK_EMPTYING, [id]);
    const [row] = await this.database.run<{ empty: boolean }>(IS_EMPTY, [accountId, id]);
    if (!row?.empty) return false;
    await this.collections.update({ id, accountId }, { deletedAt: at });
    return true;
  }

  /** Removes one batch of collections that were deleted before `cutoff` and that nothing refers to. Returns true if there may be more. */
  async removeDeleted(cutoff: Date): Promise<boolean> {
    return (await this.database.run(REMOVE_DELETED, [cutoff])).length === REMOVAL_BATCH;
  }
}
