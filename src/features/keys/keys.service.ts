import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { insertAuditEntry } from '../audit/audit-entry.js';
import { issueApiKey } from '../access/auth/api-key.js';
import type { RequestContext } from '../access/auth/request-context.js';
import { ApiKeyEntity } from '../access/auth/entities/api-key.entity.js';
import type { Permissions } from '../access/auth/permissions.js';
import { permissionsOf, type Principal } from '../access/auth/principal.js';
import { grants, type Scope } from '../access/auth/scopes.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { LATEST_TIME } from '../../platform/basics/clock/timestamp.js';
import { Database } from '../../platform/database/database.js';
import { notFound, type FieldProblem } from '../../platform/basics/errors/app-error.js';
import { encodeId, newUuid, uuidOf } from '../../platform/basics/identifiers/identifiers.js';
import type { CreationSort } from '../../platform/http/pagination/creation-order.dto.js';
import { readPage, type Page, type PageRequest } from '../../platform/http/pagination/read-page.js';
import { Quotas } from '../usage/quotas.js';
import { KEY_LISTING, recordOf, type KeyRecord } from './key-record.js';
import {
  expiryHasPassed,
  keyHasEnded,
  requireGrantable,
  requireReachable,
  scopesOnlyNarrow,
} from './keys.refusals.js';

/** What a key to be made is like. */
export interface NewKey {
  name: string;
  scopes: readonly Scope[];
  expiresAt?: Date | null;
  /** Canonical addresses and CIDR ranges; none allows all addresses. */
  allowedIps?: readonly string[];
}

/** A key this once, with what is kept of it. */
export interface IssuedKey {
  key: string;
  record: KeyRecord;
}

/** What of a key can be changed; what is left out stays. */
export type KeyPatch = Partial<Pick<ApiKeyEntity, 'name' | 'scopes' | 'expiresAt' | 'allowedIps'>>;

export interface RotatedKey extends IssuedKey {
  replaced: Pick<KeyRecord, 'id' | 'expiresAt' | 'revokedAt'>;
  warnings: FieldProblem[];
}

/**
 * The API keys of an account. A change and its audit entry are committed when the promise resolves, or with the
 * transaction of the request; then it holds on every replica.
 */
@Injectable()
export class KeysService {
  constructor(
    private readonly database: Database,
    private readonly quotas: Quotas,
    private readonly clock: Clock,
  ) {}

  /**
   * Throws `forbidden` for a key that would reach further than the principal, or when the plan allows no more keys, and
   * `bad_request` for an expiry that has passed.
   */
  async create(request: NewKey, context: RequestContext): Promise<IssuedKey> {
    const { principal, caller } = context;
    const { name, expiresAt = null } = request;
    const scopes = [...new Set(request.scopes)];
    const allowedIps = [...new Set(request.allowedIps)];
    requireGrantable({ scopes, expiresAt, allowedIps }, principal);
    const now = this.clock.now();
    if (expiresAt && expiresAt <= now) throw expiryHasPassed('leave it out');
    const { accountId, plan } = principal;
    return this.quotas.whereRoom({ accountId, plan, caller }, 'keys', async () => {
      const fields = { name, scopes, allowedIps, expiresAt };
      const issued = await this.insert(fields, principal, now);
      await insertAuditEntry(this.database, {
        action: 'key.create',
        resourceId: issued.record.id,
        at: now,
        context,
        details: fields,
      });
      return issued;
    });
  }

  /** One page of the account's keys, revoked and expired ones too. */
  list(accountId: string, request: PageRequest<CreationSort>): Promise<Page<KeyRecord>> {
    return readPage(this.database, KEY_LISTING, accountId, request);
  }

  /** Returns the key of this principal; null for a person. */
  async findOwn(principal: Principal): Promise<KeyRecord | null> {
    if (principal.kind !== 'key') return null;
    return this.find(principal.accountId, encodeId('key', principal.keyId));
  }

  /** One key of the account, revoked ones too. Throws `not_found`, also for an id that is none. */
  async find(accountId: string, id: string): Promise<KeyRecord> {
    const row = await this.database
      .repository(ApiKeyEntity)
      .findOne({ where: { id: uuidOf('key', id), accountId }, relations: { user: true } });
    if (!row) throw notFound('key');
    return recordOf(row);
  }

  /**
   * Ends a key for every request that begins after this; once more changes nothing. Throws `not_found`, and `forbidden`
   * for another key that reaches further than the principal.
   */
  async revoke(id: string, context: RequestContext): Promise<void> {
    const { principal, caller } = context;
    await this.database.transaction(async () => {
      const key = await this.findForUpdate(principal.accountId, id);
      const isItself = principal.kind === 'key' && principal.keyId === key.id;
      if (!isItself) requireReachable(key, principal);
      if (key.revokedAt) return;
      const now = this.clock.now();
      await this.database.repository(ApiKeyEntity).update({ id: key.id }, { revokedAt: now });
      const entry = { action: 'key.revoke', resourceId: key.id, at: now, context } as const;
      await insertAuditEntry(this.database, entry);
    }, caller);
  }

  /**
   * Ends every key in force that a user made in the account, however far it reaches: whoever removes somebody may. In the
   * caller's transaction. The id is a UUID.
   */
  async revokeAllOf(userId: string, context: RequestContext): Promise<void> {
    const { accountId } = context.principal;
    const at = this.clock.now();
    const keys = await this.database.repository(ApiKeyEntity).find({
      where: { accountId, userId, revokedAt: IsNull() },
      // In the order in which the deletion of the account locks them.
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
    for (const { id } of keys.filter((key) => !hasEnded(key, at))) {
      await this.database.repository(ApiKeyEntity).update({ id }, { revokedAt: at });
      await insertAuditEntry(this.database, { action: 'key.revoke', resourceId: id, at, context });
    }
  }

  /**
   * Makes a new key with the name, scopes, allow-list and length of life of an old one, which ends after the grace
   * period, in seconds; 0 revokes it at once. The new one ends with the key that asks at the latest, and takes the old
   * one's place in the quota. Throws `not_found`, `forbidden` for a key that reaches further than the principal,
   * `conflict` for one that has ended or was rotated.
   */
  async rotate(id: string, graceSeconds: number, context: RequestContext): Promise<RotatedKey> {
    const { principal, caller } = context;
    return this.database.transaction(async () => {
      const old = await this.findForUpdate(principal.accountId, id);
      requireReachable(old, principal);
      const now = this.clock.now();
      if (hasEnded(old, now) || old.replacedBy) throw keyHasEnded();
      const own = permissionsOf(principal);
      const { name, scopes, allowedIps } = old;
      const fields = { name, scopes, allowedIps, expiresAt: successorExpiry(old, own, now) };
      const issued = await this.insert(fields, principal, now);
      const graceEnd = graceSeconds > 0 ? new Date(now.getTime() + graceSeconds * 1000) : null;
      const ending = {
        expiresAt: earliest(old.expiresAt, graceEnd),
        revokedAt: graceEnd ? null : now,
      };
      const replacedBy = issued.record.id;
      await this.database
        .repository(ApiKeyEntity)
        .update({ id: old.id }, { ...ending, replacedBy });
      await insertAuditEntry(this.database, {
        action: 'key.rotate',
        resourceId: old.id,
        at: now,
        context,
        details: {
          successorId: encodeId('key', replacedBy),
          gracePeriodSeconds: graceSeconds,
        },
      });
      return {
        ...issued,
        replaced: { id: old.id, ...ending },
        warnings: shortenedLife(old, now, own),
      };
    }, caller);
  }

  /**
   * Changes what the patch says, from the next request on; nothing when everything is so already. Scopes only get fewer;
   * end and addresses reach no further than those of the principal. Throws `not_found`, `forbidden` for a key that
   * reaches further than the principal or would, `conflict` for one that has ended or was rotated, and `bad_request` for
   * an expiry that has passed.
   */
  async change(id: string, patch: KeyPatch, context: RequestContext): Promise<KeyRecord> {
    const { principal, caller } = context;
    const { accountId } = principal;
    return this.database.transaction(async () => {
      const before = await this.findForUpdate(accountId, id);
      requireReachable(before, principal);
      const now = this.clock.now();
      if (hasEnded(before, now) || before.replacedBy) throw keyHasEnded();
      const wanted = wantedFields(before, patch);
      const changes = differing(before, wanted);
      if (changes.length > 0) {
        if (!wanted.scopes.every((scope) => grants(before.scopes, scope))) {
          throw scopesOnlyNarrow(wanted.scopes, before.scopes);
        }
        requireGrantable(wanted, principal);
        if (wanted.expiresAt && wanted.expiresAt <= now) throw expiryHasPassed('send null');
        await this.database.repository(ApiKeyEntity).update({ id: before.id }, wanted);
        const details = Object.fromEntries(changes.map((name) => [name, wanted[name]]));
        await insertAuditEntry(this.database, {
          action: 'key.update',
          resourceId: before.id,
          at: now,
          context,
          details: { changes, ...details },
        });
      }
      return this.find(accountId, id);
    }, caller);
  }

  private async findForUpdate(accountId: string, id: string): Promise<ApiKeyEntity> {
    const key = await this.database.repository(ApiKeyEntity).findOne({
      where: { id: uuidOf('key', id), accountId },
      lock: { mode: 'pessimistic_write' },
    });
    if (!key) throw notFound('key');
    return key;
  }

  private async insert(
    fields: Pick<ApiKeyEntity, 'name' | 'scopes' | 'allowedIps' | 'expiresAt'>,
    { accountId, user }: Principal,
    createdAt: Date,
  ): Promise<IssuedKey> {
    const { key, ...stored } = issueApiKey();
    const row = { id: newUuid(), accountId, ...fields, ...stored, createdAt };
    await this.database.repository(ApiKeyEntity).insert({ ...row, userId: user.id });
    return { key, record: { ...row, revokedAt: null, lastUsedAt: null, createdBy: user } };
  }
}

type KeyFields = Required<KeyPatch>;

function wantedFields(before: ApiKeyEntity, patch: KeyPatch): KeyFields {
  return {
    name: patch.name ?? before.name,
    scopes: patch.scopes ? [...new Set(patch.scopes)] : before.scopes,
    expiresAt: patch.expiresAt === undefined ? before.expiresAt : patch.expiresAt,
    allowedIps: patch.allowedIps ? [...new Set(patch.allowedIps)] : before.allowedIps,
  };
}

/** Names of the fields that are not the same. */
function differing(one: KeyFields, other: KeyFields): (keyof KeyFields)[] {
  const names: (keyof KeyFields)[] = ['name', 'scopes', 'expiresAt', 'allowedIps'];
  return names.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
}

function hasEnded({ revokedAt, expiresAt }: ApiKeyEntity, now: Date): boolean {
  return revokedAt !== null || (expiresAt !== null && expiresAt <= now);
}

/** A key that had a lifetime hands on its length, up to the latest time that can be written, and to the end of the key that asks. */
function successorExpiry(old: ApiKeyEntity, own: Permissions, now: Date): Date | null {
  if (!old.expiresAt) return own.expiresAt;
  const lifetime = old.expiresAt.getTime() - old.createdAt.getTime();
  const end = Math.min(now.getTime() + lifetime, Date.parse(LATEST_TIME));
  return earliest(new Date(end), own.expiresAt);
}

/** `null` is never. */
function earliest(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other;
  return one < other ? one : other;
}

/** What is said when a successor ends with the key that asked, before the length of its predecessor's life is over. */
function shortenedLife(
  old: ApiKeyEntity,
  now: Date,
  { expiresAt: end }: Permissions,
): FieldProblem[] {
  if (!end || !old.expiresAt) return [];
  const whole = now.getTime() + old.expiresAt.getTime() - old.createdAt.getTime();
  if (whole <= end.getTime()) return [];
  const issue = `is when the key that asked ends, because none makes one that outlives it; rotate with a key that ends later to begin the length of life anew`;
  return [{ field: 'expiresAt', issue }];
}
