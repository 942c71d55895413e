import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import { UNLIMITED, type Permissions } from './api-keys/permissions.js';
import type { Person } from './person.js';
import type { Plan, WindowLimits } from './plan.js';
import type { Role } from './roles.js';
import type { Scope } from './scopes.js';

/** The authenticated caller: an API key, a signed-in person, or the system itself. */
export type Principal = KeyPrincipal | PersonPrincipal | SystemPrincipal;

/** Fields of every principal. Ids are UUIDs. */
interface AnyPrincipal {
  accountId: string;
  /** Stored as `createdBy` of everything this principal creates. */
  user: Person;
  scopes: readonly Scope[];
  plan: Plan;
  /** The account's own Enterprise limits; `null` on every other plan. */
  customLimits: WindowLimits | null;
  /** Rises with every change of the account's collections and their access. `0`: the account never had a collection. */
  accessEpoch: string;
}

/** An API key, or a token of one. `user` is the creator of the key. */
export interface KeyPrincipal extends AnyPrincipal, Permissions {
  kind: 'key';
  keyId: string;
  /** The current role of the key's owner; `null` once the owner has left the account. */
  role: Role | null;
  /** The token that the request sent instead of the key; `null` for the key itself. */
  token: TokenIdentity | null;
}

/** A token that stands for its key, within the token's own limits. */
export interface TokenIdentity {
  id: string;
  /** `access`: of a connected app (OAuth). `browser`: for a web page. */
  kind: 'access' | 'browser';
  /** Requests a minute; `null` means that only the limits of the key and the account apply. */
  minuteLimit: number | null;
  /** Names the token in the audit log and the request log. */
  label: string | null;
  /** The documents that it can use; `null` means all. */
  documents: DocumentSelection | null;
  /** UUIDs of the collections that it is limited to, with all below them, in addition to those of its key. `null`: no limit. */
  collections: readonly string[] | null;
}

/** Documents by ID (UUIDs), or those that have at least one of the tags. */
export type DocumentSelection = { ids: string[] } | { tags: string[] };

/**
 * What a browser token is limited to, as it is stored: the documents by ID, or those with at least one of the tags, and the
 * collections with all below them. All members apply. IDs are UUIDs. Releases before collections find no documents if
 * neither `ids` nor `tags` is there.
 */
export interface TokenLimits {
  ids?: string[];
  tags?: string[];
  collections?: string[];
}

/** A signed-in member of the account. Their requests do not count against the plan. */
export interface PersonPrincipal extends AnyPrincipal {
  kind: 'person';
  role: Role;
}

/** The operator at the command line, or the service itself, making a change that no request caused. */
export interface SystemPrincipal extends AnyPrincipal {
  kind: 'system';
  by: 'operator' | 'service';
}

/**
 * Returns a system principal with every scope, acting on behalf of `user`. The limits of plans do not apply to it, but
 * Enterprise limits do (docs/adr/0005-api-keys-and-permissions.md).
 */
export function systemPrincipal(
  by: SystemPrincipal['by'],
  accountId: string,
  user: Person,
): SystemPrincipal {
  const { scopes } = UNLIMITED;
  const unlimited = { scopes, plan: 'enterprise', customLimits: null, accessEpoch: '0' } as const;
  return { kind: 'system', by, accountId, user, ...unlimited };
}

/** Returns the permissions that keys created or changed by this principal must not exceed. */
export function permissionsOf(principal: Principal): Permissions {
  return principal.kind === 'key' ? principal : { ...UNLIMITED, scopes: principal.scopes };
}

/** The actor recorded in events and the audit log. Ids are UUIDs. */
export interface Actor {
  userId: string;
  /** `null` for a signed-in person. */
  keyId: string | null;
}

/** Returns the key with its user, or the person; `null` for the system. */
export function actorOf(principal: Principal): Actor | null {
  if (principal.kind === 'system') return null;
  const keyId = principal.kind === 'key' ? principal.keyId : null;
  return { userId: principal.user.id, keyId };
}

/**
 * The owner of the requests and jobs that a caller can see who does not see all documents: the key, or the person with all
 * their keys. The ID is a UUID.
 */
export interface Owner {
  kind: 'key' | 'user';
  id: string;
}

export function ownerOf(principal: Principal): Owner {
  return principal.kind === 'key'
    ? { kind: 'key', id: principal.keyId }
    : { kind: 'user', id: principal.user.id };
}

export function isOwnedBy({ kind, id }: Owner, { keyId, userId }: Actor): boolean {
  return id === (kind === 'key' ? keyId : userId);
}

/** True for a token that a web page sends. */
export function isBrowserToken(principal: Principal): boolean {
  return principal.kind === 'key' && principal.token?.kind === 'browser';
}

/** Returns the UUID that idempotency records belong to: the key, the browser token, or the person across all sessions. */
export function ownerIdOf(principal: Principal): string {
  if (principal.kind !== 'key') return principal.user.id;
  return principal.token?.kind === 'browser' ? principal.token.id : principal.keyId;
}

/** Returns the log fields that identify the principal. */
export function logFieldsOf(principal: Principal): Record<string, string> {
  const accountId = encodeId('account', principal.accountId);
  switch (principal.kind) {
    case 'key':
      return { accountId, keyId: encodeId('key', principal.keyId) };
    case 'person':
      return { accountId, userId: encodeId('user', principal.user.id) };
    case 'system':
      return { accountId, by: principal.by };
  }
}
