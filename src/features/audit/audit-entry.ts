import type { RequestContext } from '../access/auth/request-context.js';
import { actorOf } from '../access/auth/principal.js';
import type { Database } from '../../platform/database/database.js';
import { columnsOf } from '../../platform/database/entity-columns.js';
import { newUuid } from '../../platform/basics/identifiers/identifiers.js';
import { redactSecretsIn } from '../../platform/operation/log/redact-secrets.js';
import { AuditEntryEntity } from './entities/audit-entry.entity.js';

/** What can be done to a resource. Names are `<resource>.<verb>` and are never reused for something else. */
export const AUDIT_ACTIONS = [
  'document.create',
  'document.update',
  'document.delete',
  'document.restore',
  'document.purge',
  'document.import',
  'template.create',
  'template.update',
  'template.delete',
  'webhook.create',
  'webhook.update',
  'webhook.delete',
  'webhook.test',
  'webhook.rotate_secret',
  'webhook.redeliver',
  'webhook.recover',
  'key.create',
  'key.update',
  'key.rotate',
  'key.revoke',
  'account.update',
  'account.export',
  'account.import',
  'account.delete',
  'user.join',
  'user.update_role',
  'user.leave',
  'user.remove',
  'invitation.create',
  'invitation.renew',
  'invitation.revoke',
  'user.sign_in',
  'user.sign_out',
  'user.end_sessions',
  'user.change_password',
  'user.enable_two_factor',
  'user.disable_two_factor',
  'user.renew_recovery_codes',
  'user.verify_email',
  'job.cancel',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** What entries are about: the first part of every action, which is also the kind of the resource's id. */
export type AuditResource = ResourceOf<AuditAction>;
type ResourceOf<Action> = Action extends `${infer Resource}.${string}` ? Resource : never;

/** The kind of resource that an action is done to. */
export function resourceOf(action: AuditAction): AuditResource {
  return action.slice(0, action.indexOf('.')) as AuditResource;
}

export const AUDIT_RESOURCES: readonly AuditResource[] = [
  ...new Set(AUDIT_ACTIONS.map(resourceOf)),
];

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
