import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Coalescer } from '../../../platform/database/concurrency/coalescer.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { Log } from '../../../platform/operation/log.js';
import { customLimitsOf, type PlanColumns } from '../accounts/account.js';
import type { WindowLimits } from '../plan.js';
import type { KeyPrincipal } from '../principal.js';
import { ROLE_SCOPES, type Role } from '../roles.js';
import { commonScopes, type Scope } from '../scopes.js';

/** What a credential needs to know of its key, of its account and of the key's creator. */
export const KEY_COLUMNS = `key.id, key.account_id, key.scopes, key.allowed_ips, key.limits, key.collections,
                key.expires_at, key.revoked_at, key.last_used_at,
                owner.id AS user_id, owner.name AS user_name, owner.email AS user_email,
                account.plan, account.minute_limit AS "minuteLimit", account.hour_limit AS "hourLimit",
                account.day_limit AS "dayLimit", account.suspended_at IS NOT NULL AS suspended, account.access_epoch,
                creator.role AS creator_role`;

/** The tables of {@link KEY_COLUMNS}, joined to `key`. */
export const KEY_JOINS = `JOIN users AS owner ON owner.id = key.user_id
           JOIN accounts AS account ON account.id = key.account_id
           LEFT JOIN members AS creator ON creator.account_id = key.account_id AND creator.user_id = key.user_id`;

/** The sub-select hides the number of hashes from the planner, which would otherwise replan each request. */
const FIND: Statement = {
  name: 'auth.find-keys',
  text: `SELECT encode(key.key_hash, 'hex') AS hash, ${KEY_COLUMNS}
           FROM api_keys AS key
           ${KEY_JOINS}
          WHERE key.key_hash = ANY (ARRAY(SELECT unnest($1::bytea[])))`,
};

const TOUCH: Statement = {
  name: 'auth.touch-key',
  text: `UPDATE api_keys SET last_used_at = $2
          WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2::timestamptz - interval '1 minute')`,
};

const MINUTE_MS = 60_000;

export interface KeyRow extends PlanColumns {
  hash: string;
  id: string;
  account_id: string;
  scopes: Scope[];
  allowed_ips: string[];
  limits: WindowLimits | null;
  collections: string[] | null;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  user_id: string;
  user_name: string;
  user_email: string;
  suspended: boolean;
  access_epoch: string;
  creator_role: Role | null;
}

export interface KnownKey {
  /** Includes only scopes that both the key and its creator's current role have. */
  principal: KeyPrincipal;
  /** False once the key's creator has left the account. */
  creatorIsMember: boolean;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  /** True if the operator has suspended the account. */
  isSuspended: boolean;
}

/**
 * Finds keys by hash. Nothing is cached. Each request reads the key and its creator's role, so a revocation, plan change
 * or lowered role applies to all later requests on every replica. Requests of one event-loop turn share one query.
 */
@Injectable()
export class ApiKeysRepository {
  private readonly lookUps: Coalescer<Buffer, KnownKey | undefined>;
  /** Keys whose last use is being written. A burst of requests then writes once. */
  private readonly touching = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    this.lookUps = new Coalescer((hashes) => this.findAll(hashes), {
      maxBatch: 256,
      maxInFlight: 4,
    });
  }

  /** Finds the key with this SHA-256 hash, even if it is revoked or expired. */
  find(hash: Buffer): Promise<KnownKey | undefined> {
    return this.lookUps.submit(hash);
  }

  /** Updates `lastUsedAt` at most once a minute, without blocking the request. */
  recordUse({ principal: { keyId }, lastUsedAt }: KnownKey): void {
    const now = this.clock.now();
    if (lastUsedAt && now.getTime() - lastUsedAt.getTime() < MINUTE_MS) return;
    if (this.touching.has(keyId)) return;
    this.touching.add(keyId);
    this.database
      .run(TOUCH, [keyId, now])
      .catch((error: unknown) => {
        this.log.warn({ keyId, err: error }, 'The last use of a key could not be written.');
      })
      .finally(() => this.touching.delete(keyId));
  }

  private async findAll(hashes: Buffer[]): Promise<{ result: KnownKey | undefined }[]> {
    const requested = hashes.map((hash) => hash.toString('hex'));
    const distinct = [...new Set(requested)].map((hash) => `\\x${hash}`);
    const rows = await this.database.lookUp<KeyRow>(FIND, [distinct]);
    const known = new Map(rows.map((row) => [row.hash, toKnownKey(row)]));
    return requested.map((hash) => ({ result: known.get(hash) }));
  }
}

export function toKnownKey(row: KeyRow): KnownKey {
  return {
    principal: {
      kind: 'key',
      keyId: row.id,
      accountId: row.account_id,
      user: { id: row.user_id, name: row.user_name, email: row.user_email },
      scopes: row.creator_role ? commonScopes(row.scopes, ROLE_SCOPES[row.creator_role]) : [],
      expiresAt: row.expires_at,
      allowedIps: row.allowed_ips,
      limits: row.limits,
      plan: row.plan,
      customLimits: customLimitsOf(row),
      accessEpoch: row.access_epoch,
      role: row.creator_role,
      collections: row.collections,
      token: null,
    },
    creatorIsMember: row.creator_role !== null,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    isSuspended: row.suspended,
  };
}
