import { Injectable } from '@nestjs/common';
import { AccountsRepository } from '../auth/accounts/accounts.repository.js';
import { AccessFactory } from '../auth/access/access-factory.js';
import type { Access } from '../auth/access/access.js';
import type { TreeCollection } from '../auth/access/rights.js';
import type { RequestContext } from '../auth/request-context.js';
import { notFound } from '../../platform/basics/errors/app-error.js';
import { uuidOf } from '../../platform/basics/identifiers/identifiers.js';
import { Database } from '../../platform/database/database.js';
import { insertAuditEntry, type AuditInput } from '../audit/audit.repository.js';
import { emitEvents } from '../events/events.repository.js';
import type { EventRow } from '../events/outbox.js';
import type { Collection } from './collection.js';
import { CollectionsRepository } from './collections.repository.js';

/** The collections of an account that are not deleted. Nobody else changes them until the transaction ends. */
export interface LockedTree {
  accountId: string;
  places: readonly TreeCollection[];
  /** What the caller may do now, which may be less than at the start of the request. */
  access: Access;
}

/** Reads and changes the tree of collections for callers who see a part of it. */
@Injectable()
export class CollectionTreeService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly collections: CollectionsRepository,
    private readonly factory: AccessFactory,
  ) {}

  /** Finds a collection by its public ID. Throws `not_found` for an unknown one, or if the caller has no right in it. */
  async find(access: Access, id: string): Promise<Collection> {
    const uuid = uuidOf('collection', id);
    const { accountId } = access;
    const collection =
      access.rightIn(uuid) === null ? null : await this.collections.find({ id: uuid, accountId });
    if (!collection) throw notFound('collection');
    return collection;
  }

  /** Locks the account, so that two moves cannot form a cycle, reads the tree, and calls `work`, in one transaction. */
  locked<Result>(
    { principal, caller }: RequestContext,
    work: (tree: LockedTree) => Promise<Result>,
  ): Promise<Result> {
    const { accountId } = principal;
    const inTransaction = async () => {
      await this.accounts.lock(accountId);
      const places = await this.collections.places(accountId);
      return work({ accountId, places, access: this.factory.accessIn(places, principal) });
    };
    return this.database.transaction(inTransaction, caller, accountId);
  }

  /** Returns what the caller may do once a collection is part of the tree as given. */
  accessWith(
    { places }: LockedTree,
    collection: TreeCollection,
    { principal }: RequestContext,
  ): Access {
    const others = places.filter(({ id }) => id !== collection.id);
    return this.factory.accessIn([...others, collection], principal);
  }

  /** Inserts the audit entry and the event of a change, in its transaction. */
  async record(entry: AuditInput, event: EventRow): Promise<void> {
    await insertAuditEntry(this.database, entry);
    await emitEvents(this.database, [event]);
  }
}
