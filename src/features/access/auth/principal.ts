import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { UNLIMITED, type Permissions } from './api-keys/permissions.js';
import type { Person } from './person.js';
import type { Plan, WindowLimits } from './plan.js';
import type { Role } from './roles.js';
import type { Scope } from './scopes.js';

/** Who asks for something: an API key, a signed-in person, or the system itself. */
export type Principal = KeyPrincipal | PersonPrincipal | SystemPrincipal;

/** What every principal has. Ids are UUIDs. */
interface AnyPrincipal {
  accountId: string;
  /** The `createdBy` of what is made. */
  user: Person;
  scopes: readonly Scope[];
  plan: Plan;
  /** The account's own numbers for Enterprise; `null` on every other plan. */
  customLimits: WindowLimits | null;
}

/** An API key; its user is the one who made it. */
export interface KeyPrincipal extends AnyPrincipal, Permissions {
  kind: 'key';
  keyId: string;
}

/** A member of the account who has signed in. Takes nothing from the plan's windows of requests. */
export interface PersonPrincipal extends AnyPrincipal {
  kind: 'person';
  role: Role;
}

/** The operator at the command line, or the service by itself: who changes something that no request asked for. */
export interface SystemPrincipal extends AnyPrincipal {
  kind: 'system';
  by: 'operator' | 'service';
}

/**
 * The system in an account, where it may do everything. `user` is the one for whom it acts. It stands above the
 * account's plan, but not above Enterprise's numbers (docs/adr/0005-api-keys-and-permissions.md).
 */
export function systemPrincipal(
  by: SystemPrincipal['by'],
  accountId: string,
  user: Person,
): SystemPrincipal {
  const { scopes } = UNLIMITED;
  return { kind: 'system', by, accountId, user, scopes, plan: 'enterprise', customLimits: null };
}

/** What the keys that a principal makes or changes may not exceed. */
export function permissionsOf(principal: Principal): Permissions {
  return principal.kind === 'key' ? principal : { ...UNLIMITED, scopes: principal.scopes };
}

/** Who is named in events and in the audit log. Ids are UUIDs. */
export interface Actor {
  userId: string;
  /** `null` for a person who has signed in. */
  keyId: string | null;
}

/** The key with its user, or the person; `null` for the system. */
export function actorOf(principal: Principal): Actor | null {
  if (principal.kind === 'system') return null;
  const keyId = principal.kind === 'key' ? principal.keyId : null;
  return { userId: principal.user.id, keyId };
}

/** UUID of the credential's owner, to whom idempotency records belong: the key, or the person in all sessions. */
export function ownerIdOf(principal: Principal): string {
  return principal.kind === 'key' ? principal.keyId : principal.user.id;
}

/** How a log line names the principal: with the key, the person, or the part of the system. */
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
