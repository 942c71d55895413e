import { Injectable } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { Database, type Statement } from '../database/database.js';
import { notFound } from '../errors/app-error.js';
import { newUuid, uuidOf } from '../identifiers/identifiers.js';
import { readPage, type Page, type PageRequest } from '../pagination/read-page.js';
import { generateApiKey, hashApiKey } from '../auth/api-key.js';
import type { Scope } from '../auth/scopes.js';
import {
  fromRow,
  KEY_COLUMNS,
  KEY_JOINS,
  KEY_LISTING,
  type KeyRecord,
  type KeyRow,
  type KeySort,
} from './key-record.js';
import { expiryHasPassed, keyHasEnded, MAX_KEYS, tooManyKeys } from './key-refusals.js';
import { requireGrantable } from './requested-scopes.js';
import { LATEST_TIME } from '../clock/timestamp.js';

/** Requests at the same moment may pass the limit by as many: it protects the service and is no tariff. */
const CREATE: Statement = {
  name: 'keys.create',
  text: `WITH item AS (
           INSERT INTO api_keys (id, account_id, user_id, name, key_hash, last_four, scopes, allowed_ips, expires_at, created_at)
           SELECT $1::uuid, $2::uuid, $3::uuid, $4, $5::bytea, $6, $7::text[], $8::text[], $9::timestamptz, $10::timestamptz
            WHERE (SELECT count(*) FROM api_keys WHERE account_id = $2 AND revoked_at IS NULL
                      AND (expires_at IS NULL OR expires_at > $10)) < ${String(MAX_KEYS)}
           RETURNING *
         )
         SELECT ${KEY_COLUMNS} FROM item ${KEY_JOINS}`,
};

const FIND: Statement = {
  name: 'keys.find',
  text: `SELECT ${KEY_COLUMNS} FROM api_keys AS item ${KEY_JOINS} WHERE item.id = $1 AND item.account_id = $2`,
};

const REVOKE: Statement = {
  name: 'keys.revoke',
  text: `UPDATE api_keys SET revoked_at = coalesce(revoked_at, $3) WHERE id = $1 AND account_id = $2 RETURNING id`,
};

/**
 * One statement and so one transaction. A key that had a lifetime hands on its length, which ends at the latest time
 * that can be written; least() ignores nulls. A leaked key can be replaced whatever the number of keys.
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
                  CASE WHEN expires_at IS NOT NULL THEN least($3 + (expires_at - created_at), '${LATEST_TIME}') END, $3
             FROM old
           RETURNING *
         )
         SELECT ${KEY_COLUMNS}, replaced.expires_at AS replaced_expires_at, replaced.revoked_at AS replaced_revoked_at
           FROM item ${KEY_JOINS} CROSS JOIN replaced`,
};

/** What a key to be made is like. Ids are UUIDs. */
export interface NewKey {
  accountId: string;
  /** Who makes it: `createdBy` of the key and of whatever is created with it. */
  userId: string;
  name: string;
  scopes: readonly Scope[];
  expiresAt?: Date | null;
  /** Canonical addresses and CIDR ranges; none allows all addresses. */
  allowedIps?: readonly string[];
}

/** How a key is replaced. */
export interface Rotation {
  /** UUID of who replaces it: `createdBy` of the new key. */
  userId: string;
  /** How long the old key stays valid beside the new one; 0 revokes it at once. */
  gracePeriodSeconds: number;
}

/** A key this once, with what is kept of it. */
export interface IssuedKey {
  key: string;
  record: KeyRecord;
}

export interface RotatedKey extends IssuedKey {
  replaced: Pick<KeyRecord, 'id' | 'expiresAt' | 'revokedAt'>;
}

type RotatedRow = KeyRow & { replaced_expires_at: Date | null; replaced_revoked_at: Date | null };

/** The API keys of an account. Every change is committed when its promise resolves, and holds on every replica. */
@Injectable()
export class KeysService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Throws `forbidden` for scopes beyond `granted`, `bad_request` for an expiry that has passed, `conflict` when the
   * account has the most keys it may have.
   */
  async create(request: NewKey, granted: readonly Scope[]): Promise<IssuedKey> {
    requireGrantable(request.scopes, granted);
    const { accountId, userId, name, expiresAt = null, allowedIps = [] } = request;
    const now = this.clock.now();
    if (expiresAt && expiresAt <= now) throw expiryHasPassed();
    const key = generateApiKey();
    const scopes = [...new Set(request.scopes)];
    const ranges = [...new Set(allowedIps)];
    const values = [
      newUuid(),
      accountId,
      userId,
      name,
      hashApiKey(key),
      key.slice(-4),
      scopes,
      ranges,
      expiresAt,
      now,
    ];
    const [row] = await this.database.run<KeyRow>(CREATE, values);
    if (!row) throw tooManyKeys();
    return { key, record: fromRow(row) };
  }

  /** One page of the account's keys, revoked and expired ones too. */
  async list(accountId: string, request: PageRequest<KeySort>): Promise<Page<KeyRecord>> {
    const page = await readPage<KeyRow, KeySort>(this.database, KEY_LISTING, accountId, request);
    return { ...page, rows: page.rows.map(fromRow) };
  }

  /** One key of the account, revoked ones too. Throws `not_found`, also for an id that is none. */
  async find(accountId: string, id: string): Promise<KeyRecord> {
    const [row] = await this.database.run<KeyRow>(FIND, [uuidOf('key', id), accountId]);
    if (!row) throw notFound('key');
    return fromRow(row);
  }

  /** Ends a key for every request that begins after this; once more changes nothing. Throws `not_found`. */
  async revoke(accountId: string, id: string): Promise<void> {
    const revoked = await this.database.run(REVOKE, [
      uuidOf('key', id),
      accountId,
      this.clock.now(),
    ]);
    if (revoked.length === 0) throw notFound('key');
  }

  /**
   * Makes a new key with the name, scopes, allow-list and length of life of an old one, which ends after the grace
   * period. Throws `not_found`, `forbidden` for a key with scopes beyond `granted`, `conflict` for one already ended.
   */
  async rotate(
    accountId: string,
    id: string,
    rotation: Rotation,
    granted: readonly Scope[],
  ): Promise<RotatedKey> {
    const old = await this.find(accountId, id);
    requireGrantable(old.scopes, granted);
    const now = this.clock.now();
    const { gracePeriodSeconds: grace, userId } = rotation;
    const ends = grace > 0 ? new Date(now.getTime() + grace * 1000) : null;
    const key = generateApiKey();
    const values = [
      old.id,
      accountId,
      now,
      ends,
      ends ? null : now,
      newUuid(),
      userId,
      hashApiKey(key),
      key.slice(-4),
    ];
    const [row] = await this.database.run<RotatedRow>(ROTATE, values);
    if (!row) throw keyHasEnded();
    const replaced = {
      id: old.id,
      expiresAt: row.replaced_expires_at,
      revokedAt: row.replaced_revoked_at,
    };
    return { key, record: fromRow(row), replaced };
  }
}
