import { isDeepStrictEqual } from 'node:util';
import { ApiKeyEntity } from '../auth/entities/api-key.entity.js';
import { Permissions } from '../auth/api-keys/permissions.js';
import type { ConnectedApp } from '../auth/connected-app.js';
import { PersonPrincipal, Principal, permissionsOf } from '../auth/principal.js';
import { RequestContext } from '../auth/request-context.js';
import { ROLE_SCOPES } from '../auth/roles.js';
import { Scope, grants } from '../auth/scopes.js';
import { insertAuditEntry } from '../audit/audit.repository.js';
import { isUnlimited, type Window, type WindowLimits } from '../auth/plan.js';
import { issueApiKey } from '../auth/api-keys/api-key.js';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/basics/clock/clock.js';
import { LATEST_TIME } from '../../platform/basics/clock/moment.js';
import { Database } from '../../platform/database/database.js';
import { notFound, type FieldProblem } from '../../platform/basics/errors/app-error.js';
import { decodeId, encodeId, newUuid } from '../../platform/basics/identifiers/identifiers.js';
import type { CreationSort } from '../../platform/http/pagination/page-query.dto.js';
import type { Page, PageRequest } from '../../platform/http/pagination/read-page.js';
import { QuotasService } from '../usage/quotas/quotas.service.js';
import { limitOf, presentLimit, requireLimitable } from './key-collections.js';
import {
  expiryHasPassed,
  keyBelongsToApp,
  keyHasEnded,
  missingOf,
  notAServiceAccount,
  requireGrantable,
  requireReachable,
  roleLacksScopes,
  scopesOnlyNarrow,
} from './key-grants.js';
import { KeysRepository, type KeyRecord } from './keys.repository.js';
import { ServiceAccountsRepository } from './service-accounts/service-accounts.repository.js';
import type { KeyFilter } from './dto/list-keys.dto.js';

/** The properties of a key to create. */
export interface NewKey {
  name: string;
  scopes: readonly Scope[];
  expiresAt?: Date | null;
  /** Canonical addresses and CIDR ranges; empty allows all addresses. */
  allowedIps?: readonly string[];
  /** The public ID of the service account that owns the key; missing for a key of the principal's user. */
  serviceAccountId?: string | null | undefined;
  /** Maximum requests per window, in addition to the account's limits. */
  limits?: Partial<Record<Window, number | null | undefined>> | null | undefined;
  /** Public IDs of the collections that the key is limited to, with all below them; null or missing for no limit. */
  collections?: readonly string[] | null | undefined;
}

/** A new key, with the key itself, which cannot be retrieved later. */
export interface IssuedKey {
  key: string;
  record: KeyRecord;
}

type KeyFields = Pick<
  ApiKeyEntity,
  'name' | 'scopes' | 'expiresAt' | 'allowedIps' | 'limits' | 'collections'
>;

/** The fields of a key to change. Missing fields stay unchanged, and so do missing windows of limits. */
export type KeyPatch = Partial<Omit<KeyFields, 'limits' | 'collections'>> &
  Pick<NewKey, 'limits' | 'collections'>;

/** How to rotate a key. */
export interface Rotation {
  graceSeconds: number;
  /** The public ID of the service account that owns the successor. */
  serviceAccountId?: string | null | undefined;
}

/** Why the service ended the access of a connected app; the audit log names it. */
export type AppEnd =
  'disconnected by the app' | 'code used twice' | 'old refresh token used' | 'unused for 30 days';

export interface RotatedKey extends IssuedKey {
  replaced: Pick<KeyRecord, 'id' | 'expiresAt' | 'revokedAt'>;
  warnings: FieldProblem[];
}

/**
 * The API keys of an account. A change and its audit entry commit together. The change applies on every replica once the
 * promise resolves, or when the request's transaction commits.
 */
@Injectable()
export class KeysService {
  constructor(
    private readonly database: Database,
    private readonly keys: KeysRepository,
    private readonly serviceAccounts: ServiceAccountsRepository,
    private readonly quotas: QuotasService,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a key. Throws `forbidden` if it exceeds the principal's permissions or the plan's quota, and `bad_request` if
   * its expiry is in the past, for a service account that is unknown or whose role lacks a scope, for collections that the
   * principal cannot see, and for scopes that a key with collections cannot have.
   */
  async create(request: NewKey, context: RequestContext): Promise<IssuedKey> {
    const { principal, access, caller } = context;
    const { name, expiresAt = null, serviceAccountId } = request;
    const scopes = [...new Set(request.scopes)];
    const allowedIps = [...new Set(request.allowedIps)];
    const limits = patchedLimits(null, request.limits);
    const collections = await limitOf(this.database, request.collections, access);
    requireLimitable(scopes, collections);
    const fields = { name, scopes, allowedIps, limits, expiresAt, collections };
    requireGrantable(fields, principal);
    const now = this.clock.now();
    if (expiresAt && expiresAt <= now) throw expiryHasPassed('leave it out');
    const { accountId, plan } = principal;
    let userId = principal.user.id;
    return this.quotas.withinQuota({ accountId, plan, caller }, 'keys', async () => {
      if (serviceAccountId) {
        requireGrantable(fields, await this.serviceAccounts.lockFor(principal));
        userId = await this.serviceAccountFor(serviceAccountId, scopes, accountId);
      }
      const issued = await this.insert(fields, { accountId, userId }, now);
      await insertAuditEntry(this.database, {
        action: 'key.create',
        resourceId: issued.record.id,
        at: now,
        context,
        details: { ...detailsOf(fields), ...(serviceAccountId && { serviceAccountId }) },
      });
      return issued;
    });
  }

  /**
   * Creates the key of a connected app, in the caller's transaction. It does not count against the quota. Nobody learns the
   * key itself, because the app uses tokens.
   */
  async createForApp(
    client: ConnectedApp,
    granted: Pick<KeyFields, 'scopes' | 'expiresAt' | 'collections'>,
    context: RequestContext,
  ): Promise<KeyRecord> {
    const { accountId, user } = context.principal;
    const fields = { name: client.name, allowedIps: [], limits: null, ...granted };
    const at = this.clock.now();
    const { record } = await this.insert(fields, { accountId, userId: user.id }, at, client);
    const details = { ...detailsOf(fields), client };
    const entry = { action: 'key.create', resourceId: record.id, at, context, details } as const;
    await insertAuditEntry(this.database, entry);
    return record;
  }

  /** Ends the access of a connected app. The ID of its key is a UUID. Does nothing if the key has been revoked. */
  async endApp(id: string, reason: AppEnd, context: RequestContext): Promise<void> {
    await this.database.transaction(async () => {
      const key = await this.keys.lock(encodeId('key', id), context.principal.accountId);
      if (!key.revokedAt) await this.end(id, this.clock.now(), context, { reason });
    });
  }

  /** Lists the keys of the apps that a person has connected in the account, newest first. */
  async listApps({ accountId, user }: PersonPrincipal): Promise<KeyRecord[]> {
    const apps = await this.keys.listAppsOf(accountId, user.id);
    const now = this.clock.now();
    return apps.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
  }

  /** Disconnects an app that the principal has connected. Throws `not_found` for any other key. */
  async endOwnApp(id: string, context: RequestContext): Promise<void> {
    const { accountId, user } = context.principal;
    await this.database.transaction(async () => {
      const key = await this.keys.lock(id, accountId);
      if (!key.client || key.userId !== user.id) throw notFound('connected app');
      if (!key.revokedAt) await this.end(key.id, this.clock.now(), context);
    }, context.caller);
  }

  /** Lists one page of the account's keys: all of them, or those that the filter selects. */
  list(
    accountId: string,
    request: PageRequest<CreationSort> & KeyFilter,
  ): Promise<Page<KeyRecord>> {
    return this.keys.list(accountId, request);
  }

  /** Returns the key of this principal; null for a person. */
  async findOwn(principal: Principal): Promise<KeyRecord | null> {
    if (principal.kind !== 'key') return null;
    return this.find(principal.accountId, encodeId('key', principal.keyId));
  }

  /** Finds a key of the account, even if revoked. Throws `not_found`, even for a malformed ID. */
  find(accountId: string, id: string): Promise<KeyRecord> {
    return this.keys.find(id, accountId);
  }

  /**
   * Revokes a key for every later request. Revoking it again changes nothing. Throws `not_found`, and `forbidden` for
   * another key that exceeds the principal's permissions.
   */
  async revoke(id: string, context: RequestContext): Promise<void> {
    const { principal, caller } = context;
    await this.database.transaction(async () => {
      const key = await this.keys.lock(id, principal.accountId);
      const isItself = principal.kind === 'key' && principal.keyId === key.id;
      if (!isItself) requireReachable(key, principal);
      if (key.revokedAt) return;
      await this.end(key.id, this.clock.now(), context);
    }, caller);
  }

  /**
   * Revokes every active key that a user created in the account, even keys that exceed the principal's permissions,
   * because removing a member requires that. Call it in a transaction. The id is a UUID.
   */
  async revokeAllOf(userId: string, context: RequestContext): Promise<void> {
    const { accountId } = context.principal;
    const now = this.clock.now();
    const keys = await this.keys.lockUnrevokedOf(accountId, userId);
    for (const key of keys) if (!hasEnded(key, now)) await this.end(key.id, now, context);
  }

  /**
   * Creates a successor with the name, scopes, allow-list, limits, collections and lifetime of a key. The old key expires
   * after the grace period in seconds; 0 revokes it immediately. The successor expires no later than the requesting key, and does not
   * count against the quota. It belongs to the given service account, otherwise to that of the old key, otherwise to the
   * principal's user. Throws `not_found`, `forbidden` if the key exceeds the principal's permissions, `conflict` if it has
   * ended, was rotated or belongs to a connected app, and `bad_request` like {@link create}.
   */
  async rotate(
    id: string,
    { graceSeconds, serviceAccountId }: Rotation,
    context: RequestContext,
  ): Promise<RotatedKey> {
    const { principal, caller } = context;
    const { accountId } = principal;
    return this.database.transaction(async () => {
      const { createdBy } = await this.find(accountId, id);
      const heir =
        serviceAccountId ??
        (createdBy.kind === 'service' ? encodeId('user', createdBy.id) : undefined);
      // Lock the members before the key, as removing a member does.
      const current = heir ? await this.serviceAccounts.lockFor(principal) : principal;
      const old = await this.lockActive(id, current);
      if (old.client) throw keyBelongsToApp();
      const now = this.clock.now();
      const own = permissionsOf(principal);
      const { name, scopes, allowedIps, limits, collections } = old;
      const fields = {
        name,
        scopes,
        allowedIps,
        limits,
        collections,
        expiresAt: successorExpiry(old, own, now),
      };
      const userId = heir
        ? await this.serviceAccountFor(heir, scopes, accountId)
        : principal.user.id;
      const issued = await this.insert(fields, { accountId, userId }, now);
      const graceEnd = graceSeconds > 0 ? new Date(now.getTime() + graceSeconds * 1000) : null;
      const ending = {
        expiresAt: earliest(old.expiresAt, graceEnd),
        revokedAt: graceEnd ? null : now,
      };
      const replacedBy = issued.record.id;
      await this.keys.update(old.id, { ...ending, replacedBy });
      await insertAuditEntry(this.database, {
        action: 'key.rotate',
        resourceId: old.id,
        at: now,
        context,
        details: {
          successorId: encodeId('key', replacedBy),
          gracePeriodSeconds: graceSeconds,
          ...(serviceAccountId && { serviceAccountId }),
        },
      });
      return {
        ...issued,
        replaced: { id: old.id, ...ending },
        warnings: shortenedLifeWarnings(old, now, own),
      };
    }, caller);
  }

  /**
   * Changes a key, effective from the next request. Writes nothing if nothing changes. Scopes can only be removed; expiry,
   * addresses and limits must not exceed those of the principal. Throws `not_found`, `forbidden` if the key exceeds or
   * would exceed the principal's permissions, `conflict` if it has ended or was rotated, and `bad_request` for an expiry
   * in the past, and for collections like {@link create}.
   */
  async change(id: string, patch: KeyPatch, context: RequestContext): Promise<KeyRecord> {
    const { principal, caller } = context;
    return this.database.transaction(async () => {
      const before = await this.lockActive(id, principal);
      const now = this.clock.now();
      const held = before.collections;
      const collections =
        patch.collections === undefined
          ? held
          : await limitOf(this.database, patch.collections, context.access, held ?? []);
      const after = { ...patched(before, patch), collections };
      const changes = changedFields(before, after);
      if (changes.length > 0) {
        if (!after.scopes.every((scope) => grants(before.scopes, scope))) {
          throw scopesOnlyNarrow(after.scopes, before.scopes);
        }
        requireLimitable(after.scopes, collections);
        requireGrantable(after, principal);
        if (after.expiresAt && after.expiresAt <= now) throw expiryHasPassed('send null');
        await this.keys.update(before.id, after);
        const values = detailsOf(after);
        const details = Object.fromEntries(changes.map((name) => [name, values[name]]));
        await insertAuditEntry(this.database, {
          action: 'key.update',
          resourceId: before.id,
          at: now,
          context,
          details: { changes, ...details },
        });
      }
      return this.find(principal.accountId, id);
    }, caller);
  }

  /** Locks a key that can be changed or rotated. Throws `not_found`, `forbidden` and `conflict`. */
  private async lockActive(id: string, principal: Principal): Promise<ApiKeyEntity> {
    const key = await this.keys.lock(id, principal.accountId);
    requireReachable(key, principal);
    if (hasEnded(key, this.clock.now()) || key.replacedBy) throw keyHasEnded();
    return key;
  }

  private async end(
    id: string,
    at: Date,
    context: RequestContext,
    details: { reason?: AppEnd } = {},
  ): Promise<void> {
    await this.keys.update(id, { revokedAt: at });
    const entry = { action: 'key.revoke', resourceId: id, at, context, details } as const;
    await insertAuditEntry(this.database, entry);
  }

  /**
   * Returns the UUID of a service account that a key with these scopes can belong to. Throws `bad_request` if there is no
   * such account, or if its role lacks a scope: the key would have it as soon as somebody gives the account another role.
   */
  private async serviceAccountFor(
    publicId: string,
    scopes: readonly Scope[],
    accountId: string,
  ): Promise<string> {
    const all = await this.serviceAccounts.list(accountId);
    const account = all.find(({ id }) => id === decodeId('user', publicId));
    if (!account) throw notAServiceAccount();
    const missing = missingOf(scopes, ROLE_SCOPES[account.role]);
    if (missing !== '') throw roleLacksScopes(account.role, missing);
    return account.id;
  }

  private async insert(
    fields: KeyFields,
    { accountId, userId }: Pick<ApiKeyEntity, 'accountId' | 'userId'>,
    createdAt: Date,
    client: ConnectedApp | null = null,
  ): Promise<IssuedKey> {
    const { key, ...stored } = issueApiKey();
    const id = newUuid();
    await this.keys.insert({ id, accountId, userId, ...fields, ...stored, client, createdAt });
    return { key, record: await this.find(accountId, encodeId('key', id)) };
  }
}

/** Returns the fields of a key for the audit log, with the public IDs of the collections. */
function detailsOf(fields: KeyFields): KeyFields {
  return { ...fields, collections: presentLimit(fields.collections) };
}

function patched(before: ApiKeyEntity, patch: KeyPatch): Omit<KeyFields, 'collections'> {
  return {
    name: patch.name ?? before.name,
    scopes: patch.scopes ? [...new Set(patch.scopes)] : before.scopes,
    expiresAt: patch.expiresAt === undefined ? before.expiresAt : patch.expiresAt,
    allowedIps: patch.allowedIps ? [...new Set(patch.allowedIps)] : before.allowedIps,
    limits: patchedLimits(before.limits, patch.limits),
  };
}

/** Returns limits after a merge patch; null without any limit. */
function patchedLimits(before: WindowLimits | null, patch: NewKey['limits']): WindowLimits | null {
  if (patch === null) return null;
  const limitOf = (window: Window) => {
    const limit = patch?.[window];
    return limit === undefined ? (before?.[window] ?? null) : limit;
  };
  const limits = { minute: limitOf('minute'), hour: limitOf('hour'), day: limitOf('day') };
  return isUnlimited(limits) ? null : limits;
}

function changedFields(before: KeyFields, after: KeyFields): (keyof KeyFields)[] {
  const names: (keyof KeyFields)[] = [
    'name',
    'scopes',
    'expiresAt',
    'allowedIps',
    'limits',
    'collections',
  ];
  return names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
}

function hasEnded({ revokedAt, expiresAt }: ApiKeyEntity, now: Date): boolean {
  return revokedAt !== null || (expiresAt !== null && expiresAt <= now);
}

/** Returns the expiry after the old key's lifetime, limited by the latest valid time and the principal's own expiry. */
function successorExpiry(old: ApiKeyEntity, own: Permissions, now: Date): Date | null {
  if (!old.expiresAt) return own.expiresAt;
  const lifetime = old.expiresAt.getTime() - old.createdAt.getTime();
  const end = Math.min(now.getTime() + lifetime, Date.parse(LATEST_TIME));
  return earliest(new Date(end), own.expiresAt);
}

/** Returns the earlier time; `null` means never. */
function earliest(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other;
  return one < other ? one : other;
}

/**
 * Returns a warning if the successor expires with the requesting key, so that its lifetime is shorter than the old key's.
 */
function shortenedLifeWarnings(
  old: ApiKeyEntity,
  now: Date,
  { expiresAt: end }: Permissions,
): FieldProblem[] {
  if (!end || !old.expiresAt) return [];
  const fullLife = now.getTime() + old.expiresAt.getTime() - old.createdAt.getTime();
  if (fullLife <= end.getTime()) return [];
  const issue =
    'is the expiry of the key that made this request, because a key cannot create one that outlives it; rotate with a key that expires later to keep the full lifetime';
  return [{ field: 'expiresAt', issue }];
}
