import { byCreation, type CreationSort } from '../pagination/creation-order.js';
import type { Listing } from '../pagination/read-page.js';
import type { Scope } from '../auth/scopes.js';

/** What is kept of an API key. Ids are UUIDs; the key itself is shown once and known only by its hash. */
export interface KeyRecord {
  id: string;
  accountId: string;
  name: string;
  lastFour: string;
  scopes: readonly Scope[];
  /** Addresses and CIDR ranges the key may be used from; empty allows all. */
  allowedIps: readonly string[];
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
  createdBy: { id: string; name: string; email: string };
}

/** A row of `api_keys AS item` with its `creator`. */
export interface KeyRow {
  id: string;
  account_id: string;
  name: string;
  last_four: string;
  scopes: Scope[];
  allowed_ips: string[];
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  created_at: Date;
  creator_id: string;
  creator_name: string;
  creator_email: string;
}

export const KEY_COLUMNS = `item.id, item.account_id, item.name, item.last_four, item.scopes, item.allowed_ips,
  item.expires_at, item.revoked_at, item.last_used_at, item.created_at,
  creator.id AS creator_id, creator.name AS creator_name, creator.email AS creator_email`;

export const KEY_JOINS =
  'CROSS JOIN LATERAL (SELECT * FROM users WHERE users.id = item.user_id LIMIT 1) AS creator';

export const KEY_LISTING: Listing<CreationSort> = {
  name: 'keys',
  table: 'api_keys',
  where: 'item.account_id = $1',
  // Counted, unlike documents: people make keys by hand and replace them rarely, so an account has tens of them.
  total: 'SELECT count(*) AS n FROM api_keys WHERE account_id = $1',
  columns: KEY_COLUMNS,
  joins: KEY_JOINS,
  sorts: byCreation(),
};

/** What is kept of a key, as the product knows it. */
export function fromRow(row: KeyRow): KeyRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    lastFour: row.last_four,
    scopes: row.scopes,
    allowedIps: row.allowed_ips,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    createdAt: row.created_at,
    createdBy: { id: row.creator_id, name: row.creator_name, email: row.creator_email },
  };
}
