import { Injectable } from '@nestjs/common';
import type { Access } from '../auth/access/access.js';
import { ROOT } from '../auth/access/rights.js';
import { requireScope } from '../auth/guards/scope.guard.js';
import type { RequestContext } from '../auth/request-context.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { decodeId, newUuid } from '../../platform/basics/identifiers/identifiers.js';
import type { Page } from '../../platform/http/pagination/read-page.js';
import {
  changed,
  collectionNotEmpty,
  MAX_COLLECTIONS,
  noSuchCollection,
  requirePlace,
  seenBy,
  shownParentOf,
  tooManyCollections,
  visible,
  type Collection,
  type VisibleCollection,
} from './collection.js';
import { CollectionAccessService, withoutNames } from './collection-access.service.js';
import { CollectionTreeService } from './collection-tree.service.js';
import { collectionEvent, requireUnchanged, type Target } from './collection.presenter.js';
import { requireTarget } from './target-collection.js';
import { CollectionsRepository, type CountedCollection } from './collections.repository.js';
import type {
  CreateCollectionDto,
  ListCollectionsDto,
  PatchCollectionDto,
} from './dto/collection.dto.js';

/**
 * Manages the collections of an account. Changes check the rights in a tree that is locked. Methods that take an id throw
 * `not_found` for unknown ids and for collections in which the caller has no right, and `forbidden` if the right is too
 * little.
 */
@Injectable()
export class CollectionsService {
  constructor(
    private readonly tree: CollectionTreeService,
    private readonly collections: CollectionsRepository,
    private readonly accesses: CollectionAccessService,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a collection. Throws `bad_request` for an unknown parent or for people who are not members, and `conflict` if
   * it would be too deep or the account has the maximum number of collections. An own access needs `access:write`.
   */
  create(body: CreateCollectionDto, context: RequestContext): Promise<VisibleCollection> {
    const { name, access = null } = body;
    if (access !== null) requireScope(context.principal, 'access:write');
    return this.tree.locked(context, async (tree) => {
      const { accountId, places } = tree;
      const parentId = parentOf(body) ?? null;
      if (places.length >= MAX_COLLECTIONS) throw tooManyCollections();
      requireTarget(tree.access, parentId ?? ROOT, 'parentId');
      requirePlace(places, { id: undefined, parentId });
      const now = this.clock.now();
      const collection: Collection = {
        id: newUuid(),
        accountId,
        parentId,
        name,
        access: access && (await this.accesses.storedAccess(accountId, access)),
        createdBy: context.principal.user.id,
        version: 1,
        createdAt: now,
        updatedAt: now,
      };
      await this.collections.insert(collection);
      const details = access === null ? {} : { access: withoutNames(access) };
      await this.tree.record(
        { action: 'collection.create', resourceId: collection.id, at: now, context, details },
        collectionEvent('collection.created', collection, now, context),
      );
      return visible(this.tree.accessWith(tree, collection, context), collection);
    });
  }

  /** Lists the collections that the caller sees. Throws `bad_request` for a cursor of another list. */
  async list(
    access: Access,
    query: ListCollectionsDto,
  ): Promise<Page<CountedCollection & VisibleCollection>> {
    const counted = query.include === 'counts';
    const { rows, pagination } = await this.collections.list(access, query, { counted });
    return { rows: rows.map((row) => seenBy(access, row)), pagination };
  }

  async find(access: Access, id: string): Promise<VisibleCollection> {
    return visible(access, await this.tree.find(access, id));
  }

  /**
   * Renames or moves a collection. A move needs the right to edit the collection, and that to edit where it is and where
   * it goes. Writes nothing if nothing changes. Throws `precondition_failed`, and the errors of {@link requirePlace}.
   */
  change(
    { id, preconditions }: Target,
    patch: PatchCollectionDto,
    context: RequestContext,
  ): Promise<VisibleCollection> {
    return this.tree.locked(context, async (tree) => {
      const { access, places } = tree;
      const before = await this.tree.find(access, id);
      access.requireRight('editor', before.id);
      requireUnchanged(preconditions, before);
      const { name = before.name } = patch;
      const shownParent = shownParentOf(access, before);
      const { parentId = shownParent } = { parentId: parentOf(patch) };
      const isMoved = parentId !== shownParent;
      const changes = [...(name === before.name ? [] : ['name']), ...(isMoved ? ['parentId'] : [])];
      if (changes.length === 0) return visible(access, before);
      if (isMoved) {
        access.requireRight('editor', before.parentId ?? ROOT);
        requireTarget(access, parentId ?? ROOT, 'parentId');
        requirePlace(places, { id: before.id, parentId });
      }
      const now = this.clock.now();
      const after = changed(before, { name, ...(isMoved && { parentId }) }, now);
      await this.collections.update(after);
      const details = { version: after.version, changes };
      await this.tree.record(
        { action: 'collection.update', resourceId: after.id, at: now, context, details },
        collectionEvent('collection.updated', after, now, context, { changes }),
      );
      return visible(this.tree.accessWith(tree, after, context), after);
    });
  }

  /** Deletes an empty collection. Throws `precondition_failed`, and `conflict` if it is not empty. */
  delete({ id, preconditions }: Target, context: RequestContext): Promise<void> {
    return this.tree.locked(context, async ({ access }) => {
      const collection = await this.tree.find(access, id);
      access.requireRight('editor', collection.id);
      requireUnchanged(preconditions, collection);
      const now = this.clock.now();
      if (!(await this.collections.delete(collection, now))) throw collectionNotEmpty();
      await this.tree.record(
        { action: 'collection.delete', resourceId: collection.id, at: now, context },
        collectionEvent('collection.deleted', collection, now, context),
      );
    });
  }
}

/** Returns the UUID of the parent that a body names. Throws `bad_request` if it is not the ID of a collection. */
function parentOf({ parentId }: PatchCollectionDto): string | null | undefined {
  if (parentId === undefined || parentId === null) return parentId;
  const uuid = decodeId('collection', parentId);
  if (uuid === undefined) throw noSuchCollection('parentId');
  return uuid;
}
