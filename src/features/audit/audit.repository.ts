import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { notFound } from '../../platform/basics/errors/app-error.js';
import { newUuid, uuidOf } from '../../platform/basics/identifiers/identifiers.js';
import { redactSecretsIn } from '../../platform/basics/redact-secrets.js';
import { Database, type Statement } from '../../platform/database/database.js';
import { columnsOf, selectedColumns } from '../../platform/database/columns.js';
import { BY_CREATION, type CreationSort } from '../../platform/http/pagination/page-query.dto.js';
import {
  readPage,
  type Listing,
  type Page,
  type PageRequest,
} from '../../platform/http/pagination/read-page.js';
import { UserEntity } from '../auth/entities/user.entity.js';
import { actorOf, type Principal } from '../auth/principal.js';
import type { RequestContext } from '../auth/request-context.js';
import type { AuditAction } from './audit-actions.js';
import { AuditEntryEntity } from './entities/audit-entry.entity.js';

export interface AuditInput {
  action: AuditAction;
  /** UUID of the resource, whose kind is the first part of the action. */
  resourceId: string | null;
  at: Date;
  context: Omit<RequestContext, 'access'>;
  /** Other facts, never content. Secrets are redacted. */
  details?: Record<string, unknown>;
}

/** A stored entry. */
export type AuditRow = AuditEntryEntity;

/**
 * Returns the audit entry for a change. Insert it in the transaction of the change with {@link insertAuditEntry}, or in
 * its statement with {@link insertAuditEntries}. Entries of the system have no actor; `details.by` says which part of the
 * system acted.
 */
export function auditRow({ action, resourceId, at, context, details = {} }: AuditInput): AuditRow {
  const { principal, requestId, clientAddress, userAgent } = context;
  const actor = actorOf(principal);
  return {
    id: newUuid(),
    accountId: principal.accountId,
    action,
    resourceId,
    userId: actor?.userId ?? null,
    keyId: actor?.keyId ?? null,
    requestId,
    clientAddress,
    userAgent,
    details: redactSecretsIn({ ...details, ...senderOf(principal) }),
    createdAt: at,
  };
}

/** Returns the details that name the part of the system, or the browser token. */
function senderOf(principal: Principal): Record<string, unknown> {
  if (principal.kind === 'system') return { by: principal.by };
  const label = principal.kind === 'key' ? principal.token?.label : undefined;
  return label == null ? {} : { tokenLabel: label };
}

const COLUMNS = columnsOf(AuditEntryEntity);
const COLUMN_NAMES = COLUMNS.map(({ name }) => name).join(', ');

/**
 * Returns SQL that inserts audit rows from a JSON array in `placeholder`, such as `$3`. `condition` can exclude entries,
 * for example of changes that were not made: `WHERE resource_id IN (SELECT id FROM changed)`.
 */
export const insertAuditEntries = (placeholder: string, condition = '') =>
  `INSERT INTO audit_log (${COLUMN_NAMES})
   SELECT ${COLUMN_NAMES}
     FROM (SELECT ${COLUMNS.map(({ property, name }) => `"${property}" AS ${name}`).join(', ')}
             FROM json_to_recordset(${placeholder}::json) AS given (
               ${COLUMNS.map(({ property, type }) => `"${property}" ${type}`).join(', ')})) AS entry
   ${condition}`;

const INSERT: Statement = { name: 'audit.insert', text: insertAuditEntries('$1') };

/** Inserts the audit entry of a change. Call it in the transaction of the change. */
export async function insertAuditEntry(database: Database, input: AuditInput): Promise<void> {
  await database.run(INSERT, [JSON.stringify([auditRow(input)])]);
}

/** Filters of the audit log, combined with AND. Ids are UUIDs. */
export interface AuditFilters {
  action?: string | undefined;
  resourceType?: string | undefined;
  resourceId?: string | undefined;
  userId?: string | undefined;
  keyId?: string | undefined;
  /** The public id. */
  requestId?: string | undefined;
  after?: Date | undefined;
  before?: Date | undefined;
}

type FilterName = keyof AuditFilters;

/**
 * The SQL condition of each filter, and its letter in the name of the prepared statement, which must stay short. The
 * index that serves the list contains all columns except `resource_id` and `request_id`.
 */
const FILTERS: Readonly<Record<FilterName, [letter: string, sql: (value: string) => string]>> = {
  action: ['a', (value) => `item.action = ${value}::text`],
  resourceType: ['t', (value) => `starts_with(item.action, ${value}::text || '.')`],
  resourceId: ['r', (value) => `item.resource_id = ${value}::uuid`],
  userId: ['u', (value) => `item.user_id = ${value}::uuid`],
  keyId: ['k', (value) => `item.key_id = ${value}::uuid`],
  requestId: ['q', (value) => `item.request_id = ${value}::text`],
  after: ['f', (value) => `item.created_at >= ${value}::timestamptz`],
  before: ['b', (value) => `item.created_at < ${value}::timestamptz`],
};
const FILTER_NAMES = Object.keys(FILTERS) as FilterName[];

/** Filters that row_counts has counts for (docs/adr/0019-audit-log-request-log-and-observability.md). */
const COUNTED: Partial<Record<FilterName, (value: string) => string>> = {
  action: (value) => `kind = 'audit_log.' || ${value}::text`,
  resourceType: (value) => `starts_with(kind, 'audit_log.' || ${value}::text || '.')`,
};

/** `$1` is the account. The values of the given filters follow, in order. */
function auditListing(filters: AuditFilters): Listing<CreationSort> {
  const given = FILTER_NAMES.filter((name) => filters[name] !== undefined);
  const placeholder = (index: number) => `$${String(index + 2)}`;
  const where = [
    'item.account_id = $1',
    ...given.map((name, index) => FILTERS[name][1](placeholder(index))),
  ].join(' AND ');
  const counted = [
    'account_id = $1',
    `starts_with(kind, 'audit_log.')`,
    ...given.map((name, index) => COUNTED[name]?.(placeholder(index)) ?? 'false'),
  ].join(' AND ');
  return {
    name: `audit-${given.map((name) => FILTERS[name][0]).join('')}`,
    table: 'audit_log',
    where,
    total: given.every((name) => name in COUNTED)
      ? `SELECT coalesce(sum(count), 0)::bigint AS n FROM row_counts WHERE ${counted}`
      : `SELECT count(*) AS n FROM audit_log AS item WHERE ${where}`,
    columns: `${selectedColumns(AuditEntryEntity, 'item')}, actor.name AS "userName"`,
    joins:
      'LEFT JOIN LATERAL (SELECT name FROM users WHERE users.id = item.user_id LIMIT 1) AS actor ON true',
    values: given.map((name) => filters[name]),
    sorts: BY_CREATION,
  };
}

/** An entry with the name of its user. */
export type AuditEntry = AuditRow & {
  /** The user's current name; `null` if no user acted. */
  userName: string | null;
};

/** Prepared statements return JSON as text. */
type AuditListRow = Omit<AuditEntry, 'details'> & { details: string };

/** Reads the audit log. The changes themselves write the entries, which are immutable. */
@Injectable()
export class AuditRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(AuditEntryEntity) private readonly entries: Repository<AuditEntryEntity>,
    @InjectRepository(UserEntity) private readonly users: Repository<UserEntity>,
  ) {}

  /** Reads one page of the entries that match all filters. Throws `bad_request` for a cursor of another list. */
  async list(
    accountId: string,
    filters: AuditFilters,
    request: PageRequest<CreationSort>,
  ): Promise<Page<AuditEntry>> {
    const listing = auditListing(filters);
    const { rows, pagination } = await readPage<AuditListRow, CreationSort>(
      this.database,
      listing,
      accountId,
      request,
    );
    const entries = rows.map((row) => ({ ...row, details: JSON.parse(row.details) as object }));
    return { rows: entries, pagination };
  }

  /** Finds an entry by its public ID. Throws `not_found`, even for a malformed ID. */
  async find(accountId: string, id: string): Promise<AuditEntry> {
    const entry = await this.entries.findOneBy({ id: uuidOf('audit', id), accountId });
    if (!entry) throw notFound('audit entry');
    const user = entry.userId === null ? null : await this.users.findOneBy({ id: entry.userId });
    return Object.assign(entry, { userName: user?.name ?? null });
  }
}
