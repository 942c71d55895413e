import { selectedColumns } from '../../platform/database/entity-columns.js';
import { BY_CREATION, type CreationSort } from '../../platform/http/pagination/page-query.dto.js';
import type { Listing } from '../../platform/http/pagination/read-page.js';
import { AuditEntryEntity } from './entities/audit-entry.entity.js';

/** Which entries are wanted; all that is given must match. Ids are UUIDs. */
export interface AuditFilters {
  action?: string | undefined;
  resourceType?: string | undefined;
  resourceId?: string | undefined;
  userId?: string | undefined;
  keyId?: string | undefined;
  /** The public id. */
  requestId?: string | undefined;
  /** At this time or later. */
  after?: Date | undefined;
  /** Earlier than this time. */
  before?: Date | undefined;
}

/** With the `actor`, to name the user as it is called now. */
const COLUMNS = `${selectedColumns(AuditEntryEntity, 'item')}, actor.name AS "userName"`;
const JOINS =
  'LEFT JOIN LATERAL (SELECT name FROM users WHERE users.id = item.user_id LIMIT 1) AS actor ON true';

/** Each with the placeholder of its value. All but `resourceId` and `requestId` are columns of the index that serves the list. */
const CONDITIONS: Readonly<Record<keyof AuditFilters, (value: string) => string>> = {
  action: (value) => `item.action = ${value}::text`,
  resourceType: (value) => `starts_with(item.action, ${value}::text || '.')`,
  resourceId: (value) => `item.resource_id = ${value}::uuid`,
  userId: (value) => `item.user_id = ${value}::uuid`,
  keyId: (value) => `item.key_id = ${value}::uuid`,
  requestId: (value) => `item.request_id = ${value}::text`,
  after: (value) => `item.created_at >= ${value}::timestamptz`,
  before: (value) => `item.created_at < ${value}::timestamptz`,
};

/** Where entries are counted already: by account and action (docs/adr/0019-audit-log-request-log-and-observability.md). */
const COUNTED: Partial<typeof CONDITIONS> = {
  action: (value) => `kind = 'audit_log.' || ${value}::text`,
  resourceType: (value) => `starts_with(kind, 'audit_log.' || ${value}::text || '.')`,
};

/** The list under these filters. */
export function auditListing(filters: AuditFilters): Listing<CreationSort> {
  const given = NAMES.filter((name) => filters[name] !== undefined);
  const where = conditions(given, CONDITIONS);
  return {
    // One letter a filter: names of prepared statements are short.
    name: `audit-${given.map((name) => LETTERS[name]).join('')}`,
    table: 'audit_log',
    where: ['item.account_id = $1', ...where].join(' AND '),
    total: total(given, where),
    columns: COLUMNS,
    joins: JOINS,
    values: given.map((name) => filters[name]),
    sorts: BY_CREATION,
  };
}

const NAMES = Object.keys(CONDITIONS) as (keyof AuditFilters)[];
const LETTERS: Readonly<Record<keyof AuditFilters, string>> = {
  action: 'a',
  resourceType: 't',
  resourceId: 'r',
  userId: 'u',
  keyId: 'k',
  requestId: 'q',
  after: 'f',
  before: 'b',
};

function total(given: readonly (keyof AuditFilters)[], where: readonly string[]): string {
  if (!given.every((name) => name in COUNTED)) {
    const all = ['item.account_id = $1', ...where].join(' AND ');
    return `SELECT count(*) AS n FROM audit_log AS item WHERE ${all}`;
  }
  const counted = [
    'account_id = $1',
    `starts_with(kind, 'audit_log.')`,
    ...conditions(given, COUNTED),
  ];
  return `SELECT coalesce(sum(count), 0)::bigint AS n FROM row_counts WHERE ${counted.join(' AND ')}`;
}

/** `$1` is the account; the values of the filters follow in their order. */
function conditions(
  given: readonly (keyof AuditFilters)[],
  texts: Partial<typeof CONDITIONS>,
): string[] {
  return given.map((name, index) => texts[name]?.(`$${String(index + 2)}`) ?? 'false');
}
