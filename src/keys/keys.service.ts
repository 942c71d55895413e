import { Injectable } from '@nestjs/common';
import { auditRow, insertAuditEntries } from '../audit/audit-entry.js';
import { Clock } from '../clock/clock.js';
import {
  Database,
  type Executor,
  type Statement,
  type TransactionContext,
} from '../database/database.js';
import { notFound, type FieldProblem } from '../errors/app-error.js';
import { encodeId, newUuid, uuidOf } from '../identifiers/identifiers.js';
import type { CreationSort } from '../pagination/creation-order.js';
import { readPage, type Page, type PageRequest } from '../pagination/read-page.js';
import { generateApiKey, hashApiKey } from '../auth/api-key.js';
import type { Reach } from '../auth/reach.js';
import type { Scope } from '../auth/scopes.js';
import {
  fromRow,
  KEY_COLUMNS,
  KEY_JOINS,
  KEY_LISTING,
  type KeyRecord,
  type KeyRow,
} from './key-record.js';
import {
  expiryHasPassed,
  keyHasEnded,
  requireGrantable,
  requireReachable,
} from './key-refusals.js';
import { Quotas } from '../usage/quotas.js';
import type { Authority } from './authority.js';
import { LATEST_TIME } from '../clock/timestamp.js';

const CREATE: Statement = {
  name: 'keys.create',
  text: `WITH item AS (
           INSERT INTO api_keys (id, account_id, user_id, name, key_hash, last_four, scopes, allowed_ips, expires_at, created_at)
           VALUES ($1::uuid, $2::uuid, $3::uuid, $4, $5::bytea, $6, $7::text[], $8::text[], $9::timestamptz, $10::timestamptz)
           RETURNING *
         ), audited AS (${insertAuditEntries('$11')})
         SELECT ${KEY_COLUMNS} FROM item ${KEY_JOINS}`,
};

const FIND: Statement = {
  name: 'keys.find',
  text: `SELECT ${KEY_COLUMNS} FROM api_keys AS item ${KEY_JOINS} WHERE item.id = $1 AND item.account_id = $2`,
};

/** Once more changes nothing, and leaves no entry. */
const REVOKE: Statement = {
  name: 'keys.revoke',
  text: `WITH revoked AS (
           UPDATE api_keys SET revoked_at = $3 WHERE id = $1 AND account_id = $2 AND revoked_at IS NULL RETURNING id
         )
         ${insertAuditEntries('$4', 'WHERE resource_id IN (SELECT id FROM revoked)')}`,
};

/**
 * One statement and so one transaction. A key that had a lifetime hands on its length, which ends at the latest time
 * that can be written, and with the key that asks (`$11`); least() ignores nulls. The old key leaves its place in the
 * quota to its successor.
 */
const ROTATE: Statement = {
  name: 'keys.rotate',
  text: `WITH old AS (
           SELECT * FROM api_keys
            WHERE id = $1 AND account_id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)
              AND replaced_by IS NULL
              FOR UPDATE
         ), replaced AS (
           UPDATE api_keys AS key SET expires_at = least(key.expires_at, $4), revoked_at = $5, replaced_by = $6
             FROM old WHERE key.id = old.id
           RETURNING key.expires_at, key.revoked_at
         ), item AS (
           INSERT INTO api_keys (id, account_id, user_id, name, key_hash, last_four, scopes, allowed_ips, expires_at, created_at)
           SELECT $6, account_id, $7, name, $8, $9, scopes, allowed_ips,
                  least(CASE WHEN expires_at IS NOT NULL THEN least($3 + (expires_at - created_at), '${LATEST_TIME}') END,
                        $11::timestamptz),
                  $3
             FROM old
           RETURNING *
         ), audited AS (${insertAuditEntries('$10', 'WHERE resource_id IN (SELECT id FROM old)')})
         SELECT ${KEY_COLUMNS}, replaced.expires_at AS replaced_expires_at, replaced.revoked_at AS replaced_revoked_at
           FROM item ${KEY_JOINS} CROSS JOIN replaced`,
};

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

export interface RotatedKey extends IssuedKey {
  replaced: Pick<KeyRecord, 'id' | 'expiresAt' | 'revokedAt'>;
  warnings: FieldProblem[];
}

type RotatedRow = KeyRow & { replaced_expires_at: Date | null; replaced_revoked_at: Date | null };

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
   * Throws `forbidden` for a key that would reach beyond the authority, or when the plan allows no more keys, and
   * `bad_request` for an expiry that has passed.
   */
  async create(request: NewKey, authority: Authority): Promise<IssuedKey> {
    const { name, expiresAt = null } = request;
    const scopes = [...new Set(request.scopes)];
    const allowedIps = [...new Set(request.allowedIps)];
    requireGrantable({ scopes, expiresAt, allowedIps }, authority.reach);
    const { accountId, userId, plan, cause } = authority;
    const now = this.clock.now();
    if (expiresAt && expiresAt <= now) throw expiryHasPassed();
    const key = generateApiKey();
    const id = newUuid();
    const details = { name, scopes, allowedIps, expiresAt };
    const entry = auditRow({ action: 'key.create', resourceId: id, at: now, cause, details });
    const values = [
      id,
      accountId,
      userId,
      name,
      hashApiKey(key),
      key.slice(-4),
      scopes,
      allowedIps,
      expiresAt,
      now,
      JSON.stringify([entry]),
    ];
    const owner = { ...contextOf(cause), accountId, plan };
    const [row] = await this.quotas.whereRoom(owner, 'keys', () =>
      this.database.run<KeyRow>(CREATE, values),
    );
    if (!row) throw new Error('An inserted key was not returned.');
    return { key, record: fromRow(row) };
  }

  /** One page of the account's keys, revoked and expired ones too. */
  async list(accountId: string, request: PageRequest<CreationSort>): Promise<Page<KeyRecord>> {
    const page = await readPage<KeyRow, CreationSort>(
      this.database,
      KEY_LISTING,
      accountId,
      request,
    );
    return { ...page, rows: page.rows.map(fromRow) };
  }

  /** One key of the account, revoked ones too. Throws `not_found`, also for an id that is none. */
  async find(accountId: string, id: string, executor?: Executor): Promise<KeyRecord> {
    const values = [uuidOf('key', id), accountId];
    const [row] = await (executor ?? this.database).run<KeyRow>(FIND, values);
    if (!row) throw notFound('key');
    return fromRow(row);
  }

  /**
   * Ends a key for every request that begins after this; once more changes nothing. Throws `not_found`, and `forbidden`
   * for another key that reaches beyond the authority.
   */
  async revoke(id: string, { accountId, keyId, reach, cause }: Authority): Promise<void> {
    const { executor } = contextOf(cause);
    const target = await this.find(accountId, id, executor);
    const resourceId = target.id;
    if (resourceId !== keyId) requireReachable(target, reach);
    const now = this.clock.now();
    const entry = auditRow({ action: 'key.revoke', resourceId, at: now, cause });
    const values = [resourceId, accountId, now, JSON.stringify([entry])];
    await (executor ?? this.database).run(REVOKE, values);
  }

  /**
   * Makes a new key with the name, scopes, allow-list and length of life of an old one, which ends after the grace
   * period, in seconds; 0 revokes it at once. The new one ends with the key that asks at the latest. Throws `not_found`,
   * `forbidden` for a key that reaches beyond the authority, `conflict` for one already ended.
   */
  async rotate(id: string, graceSeconds: number, authority: Authority): Promise<RotatedKey> {
    const { accountId, userId, reach, cause } = authority;
    const { executor } = contextOf(cause);
    const old = await this.find(accountId, id, executor);
    requireReachable(old, reach);
    const now = this.clock.now();
    const ends = graceSeconds > 0 ? new Date(now.getTime() + graceSeconds * 1000) : null;
    const key = generateApiKey();
    const successor = newUuid();
    const details = {
      successorId: encodeId('key', successor),
      gracePeriodSeconds: graceSeconds,
    };
    const entry = auditRow({ action: 'key.rotate', resourceId: old.id, at: now, cause, details });
    const values = [
      old.id,
      accountId,
      now,
      ends,
      ends ? null : now,
      successor,
      userId,
      hashApiKey(key),
      key.slice(-4),
      JSON.stringify([entry]),
      reach.expiresAt,
    ];
    const [row] = await (executor ?? this.database).run<RotatedRow>(ROTATE, values);
    if (!row) throw keyHasEnded();
    const replaced = {
      id: old.id,
      expiresAt: row.replaced_expires_at,
      revokedAt: row.replaced_revoked_at,
    };
    return { key, record: fromRow(row), replaced, warnings: shortenedLife(old, now, reach) };
  }
}

/** What is said when a successor ends with the key that asked, before the length of its predecessor's life is over. */
function shortenedLife(old: KeyRecord, now: Date, { expiresAt: end }: Reach): FieldProblem[] {
  if (!end || !old.expiresAt) return [];
  const whole = now.getTime() + old.expiresAt.getTime() - old.createdAt.getTime();
  if (whole <= end.getTime()) return [];
  const issue = `is when the key that asked ends, because none makes one that outlives it; rotate with a key that ends later to begin the length of life anew`;
  return [{ field: 'expiresAt', issue }];
}

/** What the request brings along, where it is one. */
function contextOf(cause: Authority['cause']): TransactionContext {
  return 'requestId' in cause ? cause : {};
}
