import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database, type Statement } from '../../../platform/database/database.js';
import type { Principal } from '../principal.js';
import { Access } from './access.js';
import { rightsIn, type CollectionRights, type TreeCollection, type Visitor } from './rights.js';

/** Deleted collections decide who sees the documents in the trash that refer to them. */
const TREE: Statement = {
  name: 'access.tree',
  text: `SELECT id, parent_id AS "parentId", access, created_by AS "createdBy" FROM collections WHERE account_id = $1`,
};

const MAX_CACHED_COLLECTIONS = 100_000;
const MAX_CACHED_PLACES = 500_000;

/** What a visitor may do depends on nothing else. */
export interface Visit {
  accountId: string;
  epoch: string;
  visitor: Visitor;
}

/**
 * Makes the access of principals. Each request reads the account's epoch with its key or session, and rights are cached by
 * epoch, so a change of rights holds for all later requests on every replica.
 */
@Injectable()
export class AccessFactory {
  private readonly trees: LRUCache<string, TreeCollection[], string>;
  private readonly rights: LRUCache<string, CollectionRights, Visit>;

  constructor(private readonly database: Database) {
    this.trees = new LRUCache<string, TreeCollection[], string>({
      maxSize: MAX_CACHED_COLLECTIONS,
      sizeCalculation: (tree) => tree.length + 1,
      fetchMethod: (_key, _stale, { context: accountId }) =>
        this.database.lookUp<TreeCollection>(TREE, [accountId]),
    });
    this.rights = new LRUCache<string, CollectionRights, Visit>({
      maxSize: MAX_CACHED_PLACES,
      sizeCalculation: ({ visible, hidden }) => visible.length + hidden.length,
      fetchMethod: async (_key, _stale, { context: { accountId, epoch, visitor } }) => {
        const key = `${accountId} ${epoch}`;
        const tree = await this.trees.forceFetch(key, { context: accountId });
        return rightsIn(tree, visitor);
      },
    });
  }

  /** Reads nothing for who manages all collections, and in accounts that never had one. */
  accessOf(principal: Principal): Access | Promise<Access> {
    const visitor = visitorOf(principal);
    const { role, collections, tokenCollections } = visitor;
    const isUnlimited =
      collections === null &&
      tokenCollections === null &&
      (principal.accessEpoch === '0' || role === 'owner' || role === 'admin');
    return isUnlimited
      ? Access.ofPrincipal(principal, null)
      : this.limitedAccess(principal, visitor);
  }

  /** For changes of the tree: returns the access to a tree that the caller has locked. */
  accessIn(tree: readonly TreeCollection[], principal: Principal): Access {
    return Access.ofPrincipal(principal, rightsIn(tree, visitorOf(principal)));
  }

  private async limitedAccess(principal: Principal, visitor: Visitor): Promise<Access> {
    const { accountId, accessEpoch: epoch } = principal;
    return Access.ofPrincipal(principal, await this.rightsOf({ accountId, epoch, visitor }));
  }

  /** Returns what somebody may do in the account at this epoch. */
  rightsOf(visit: Visit): Promise<CollectionRights> {
    const { accountId, epoch, visitor } = visit;
    const { userId, role, collections, tokenCollections } = visitor;
    const limits = [collections ?? 'all', tokenCollections ?? 'all'].map(String);
    const key = [accountId, epoch, userId, role, ...limits].join(' ');
    return this.rights.forceFetch(key, { context: visit });
  }
}

function visitorOf(principal: Principal): Visitor {
  const { id: userId } = principal.user;
  if (principal.kind === 'system')
    return { userId, role: 'owner', collections: null, tokenCollections: null };
  const collections = principal.kind === 'key' ? principal.collections : null;
  const tokenCollections = principal.kind === 'key' ? (principal.token?.collections ?? null) : null;
  // Without a role, the owner of the key has left, and the key is refused before.
  return { userId, role: principal.role ?? 'viewer', collections, tokenCollections };
}
