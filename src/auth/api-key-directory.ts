import { Injectable } from '@nestjs/common';
import { Coalescer } from '../database/coalescer.js';
import { Database, type Statement } from '../database/database.js';
import type { Plan } from './plan.js';
import type { Principal } from './principal.js';
import type { Scope } from './scopes.js';

const FIND: Statement = {
  name: 'auth.find-keys',
  text: `SELECT encode(key.key_hash, 'hex') AS hash, key.id, key.account_id, key.scopes, key.allowed_ips,
                key.expires_at, key.revoked_at, key.last_used_at,
                owner.id AS user_id, owner.name AS user_name, owner.email AS user_email,
                account.plan, account.minute_limit, account.hour_limit, account.day_limit
           FROM api_keys AS key
           JOIN users AS owner ON owner.id = key.user_id
           JOIN accounts AS account ON account.id = key.account_id
          WHERE key.key_hash = ANY($1::bytea[])`,
};

interface KeyRow {
  hash: string;
  id: string;
  account_id: string;
  scopes: Scope[];
  allowed_ips: string[];
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  user_id: string;
  user_name: string;
  user_email: string;
  plan: Plan;
  minute_limit: number | null;
  hour_limit: number | null;
  day_limit: number | null;
}

export interface KnownKey {
  principal: Principal;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}

/**
 * Finds keys by hash. Nothing is cached: a key is read at each request, so that a revocation or a change of plan holds
 * on every replica for every request begun after it. Requests of one turn of the event loop share one query.
 */
@Injectable()
export class ApiKeyDirectory {
  private readonly lookUps: Coalescer<Buffer, KnownKey | undefined>;

  constructor(private readonly database: Database) {
    this.lookUps = new Coalescer((hashes) => this.findAll(hashes), {
      maxBatch: 256,
      maxInFlight: 4,
    });
  }

  /** The key with this SHA-256 hash, revoked and expired ones too. */
  find(hash: Buffer): Promise<KnownKey | undefined> {
    return this.lookUps.submit(hash);
  }

  private async findAll(hashes: Buffer[]): Promise<{ result: KnownKey | undefined }[]> {
    const wanted = hashes.map((hash) => hash.toString('hex'));
    const distinct = [...new Set(wanted)].map((hash) => `\\x${hash}`);
    const rows = await this.database.run<KeyRow>(FIND, [distinct]);
    const known = new Map(rows.map((row) => [row.hash, toKnownKey(row)]));
    return wanted.map((hash) => ({ result: known.get(hash) }));
  }
}

function toKnownKey(row: KeyRow): KnownKey {
  return {
    principal: {
      keyId: row.id,
      accountId: row.account_id,
      user: { id: row.user_id, name: row.user_name, email: row.user_email },
      scopes: row.scopes,
      expiresAt: row.expires_at,
      allowedIps: row.allowed_ips,
      plan: row.plan,
      customLimits:
        row.plan === 'enterprise'
          ? { minute: row.minute_limit, hour: row.hour_limit, day: row.day_limit }
          : null,
    },
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}
