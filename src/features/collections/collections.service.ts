import { Injectable } from '@nestjs/common';
import { insertAuditEntry, type AuditInput } from '../audit/audit.repository.js';
import { AccountsRepository } from '../auth/accounts/accounts.repository.js';
import type { Access } from '../auth/access/access.js';
import type { RequestContext } from '../auth/request-context.js';
import { emitEvents } from '../events/events.repository.js';
import type { EventRow } from '../events/outbox.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { notFound } from '../../platform/basics/errors/app-error.js';
import { decodeId, newUuid, uuidOf } from '../../platform/basics/identifiers/identifiers.js';
import { Database } from '../../platform/database/database.js';
import {
  requirePreconditions,
  type Preconditions,
} from '../../platform/http/envelope/preconditions.js';
import type { Page } from '../../platform/http/pagination/read-page.js';
import {
  collectionNotEmpty,
  MAX_COLLECTIONS,
  noSuchCollection,
  requirePlace,
  tooManyCollections,
  type Collection,
} from './collection.js';
import { collectionETag, collectionEvent } from './collection.presenter.js';
import { CollectionsRepository, type ListedCollection } from './collections.repository.js';
import type {
  CreateCollectionDto,
  ListCollectionsDto,
  PatchCollectionDto,
} from './dto/collection.dto.js';

/** A collection by its public id, with the preconditions that the client sent. */
interface Target {
  id: string;
  preconditions: Preconditions;
}

/**
 * Manages the collections of an account. Changes lock the account first, so that two moves cannot form a cycle. Methods
 * that take an id throw `not_found` for unknown ids.
 */
@Injectable()
export class CollectionsService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly collections: CollectionsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a collection. Throws `bad_request` for an unknown parent, and `conflict` if it would be too deep or the
   * account has the maximum number of collections.
   */
  create(body: CreateCollectionDto, context: RequestContext): Promise<Collection> {
    return this.locked(context, async (accountId) => {
      const now = this.clock.now();
      const collection: Collection = {
        id: newUuid(),
        accountId,
        parentId: parentOf(body) ?? null,
        name: body.name,
        version: 1,
        createdAt: now,
        updatedAt: now,
      };
      const tree = await this.collections.places(accountId);
      if (tree.length >= MAX_COLLECTIONS) throw tooManyCollections();
      requirePlace(tree, { id: undefined, parentId: collection.parentId });
      await this.collections.insert({ ...collection, createdBy: context.principal.user.id });
      await this.record(
        { action: 'collection.create', resourceId: collection.id, at: now, context },
        collectionEvent('collection.created', collection, now, context),
      );
      return collection;
    });
  }

  /** Lists collections. Throws `bad_request` for a cursor of another list. */
  list(access: Access, query: ListCollectionsDto): Promise<Page<ListedCollection>> {
    return this.collections.list(access.wholeAccount(), query, {
      counted: query.include === 'counts',
    });
  }

  async find(access: Access, id: string): Promise<Collection> {
    const accountId = access.wholeAccount();
    const collection = await this.collections.find({ id: uuidOf('collection', id), accountId });
    if (!collection) throw notFound('collection');
    return collection;
  }

  /**
   * Renames or moves a collection. Writes nothing if nothing changes. Throws `precondition_failed`, and the errors of
   * {@link requirePlace}.
   */
  change(
    { id, preconditions }: Target,
    patch: PatchCollectionDto,
    context: RequestContext,
  ): Promise<Collection> {
    return this.locked(context, async (accountId) => {
      const before = await this.find(context.access, id);
      requireSeen(preconditions, before);
      const { name = before.name } = patch;
      const { parentId = before.parentId } = { parentId: parentOf(patch) };
      const changes = [
        ...(name === before.name ? [] : ['name']),
        ...(parentId === before.parentId ? [] : ['parentId']),
      ];
      if (changes.length === 0) return before;
      if (changes.includes('parentId'))
        requirePlace(await this.collections.places(accountId), { id: before.id, parentId });
      const now = this.clock.now();
      const after: Collection = {
        ...before,
        name,
        parentId,
        version: before.version + 1,
        // `updatedAt` never decreases, although the clocks of replicas differ.
        updatedAt: now < before.updatedAt ? before.updatedAt : now,
      };
      await this.collections.update(after);
      const details = { version: after.version, changes };
      await this.record(
        { action: 'collection.update', resourceId: after.id, at: now, context, details },
        collectionEvent('collection.updated', after, now, context, { changes }),
      );
      return after;
    });
  }

  /** Deletes an empty collection. Throws `precondition_failed`, and `conflict` if it is not empty. */
  delete({ id, preconditions }: Target, context: RequestContext): Promise<void> {
    return this.locked(context, async () => {
      const collection = await this.find(context.access, id);
      requireSeen(preconditions, collection);
      const now = this.clock.now();
      if (!(await this.collections.delete(collection, now))) throw collectionNotEmpty();
      await this.record(
        { action: 'collection.delete', resourceId: collection.id, at: now, context },
        collectionEvent('collection.deleted', collection, now, context),
      );
    });
  }

  /** Locks the account and calls `work`, in one transaction. */
  private locked<Result>(
    { principal: { accountId }, caller }: RequestContext,
    work: (accountId: string) => Promise<Result>,
  ): Promise<Result> {
    return this.database.transaction(
      async () => {
        await this.accounts.lock(accountId);
        return work(accountId);
      },
      caller,
      accountId,
    );
  }

  private async record(entry: AuditInput, event: EventRow): Promise<void> {
    await insertAuditEntry(this.database, entry);
    await emitEvents(this.database, [event]);
  }
}

function requireSeen(preconditions: Preconditions, collection: Collection): void {
  const { version } = collection;
  requirePreconditions(preconditions, { version, etag: collectionETag(collection) });
}

/** Returns the UUID of the parent that a body names. Throws `bad_request` if it is not the ID of a collection. */
function parentOf({ parentId }: PatchCollectionDto): string | null | undefined {
  if (parentId === undefined || parentId === null) return parentId;
  const uuid = decodeId('collection', parentId);
  if (uuid === undefined) throw noSuchCollection('parentId');
  return uuid;
}
