import type { RequestContext } from '../access/auth/request-context.js';
import { actorOf } from '../access/auth/principal.js';
import type { Database } from '../../platform/database/database.js';
import { columnsOf } from '../../platform/database/entity-columns.js';
import { newUuid } from '../../platform/basics/identifiers/identifiers.js';
import { redactSecretsIn } from '../../platform/basics/redact-secrets.js';
import type { AuditAction } from './audit-actions.js';
import { AuditEntryEntity } from './entities/audit-entry.entity.js';

export interface AuditInput {
  action: AuditAction;
  /** UUID of the resource, which is of the kind that the action's first part names. */
  resourceId: string | null;
  at: Date;
  context: RequestContext;
  /** What else is worth knowing; never content. Secrets are redacted. */
  details?: Record<string, unknown>;
}

/** An entry as it is kept. */
export type AuditRow = AuditEntryEntity;

/**
 * The entry for a change. Insert it in the transaction of the change with {@link insertAuditEntry}, or in its statement
 * with {@link insertAuditEntries}. What the system did names nobody; the details say which part of it, as `by`.
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
    details: redactSecretsIn(
      principal.kind === 'system' ? { ...details, by: principal.by } : details,
    ),
    createdAt: at,
  };
}

/** Writes the entry for a change; call it in the transaction of the change. */
export async function insertAuditEntry(database: Database, input: AuditInput): Promise<void> {
  await database.repository(AuditEntryEntity).insert(auditRow(input));
}

const COLUMNS = columnsOf(AuditEntryEntity);
const NAMES = COLUMNS.map(({ name }) => name).join(', ');

/**
 * Inserts audit rows given as a JSON array; `placeholder` is the parameter, such as `$3`. `condition` may leave some
 * out, such as entries of changes that were not made: `WHERE resource_id IN (SELECT id FROM changed)`.
 */
export const insertAuditEntries = (placeholder: string, condition = '') =>
  `INSERT INTO audit_log (${NAMES})
   SELECT ${NAMES}
     FROM (SELECT ${COLUMNS.map(({ property, name }) => `"${property}" AS ${name}`).join(', ')}
             FROM json_to_recordset(${placeholder}::json) AS given (
               ${COLUMNS.map(({ property, type }) => `"${property}" ${type}`).join(', ')})) AS entry
   ${condition}`;
