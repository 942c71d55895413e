import type { Cause } from '../auth/cause.js';
import { newUuid } from '../identifiers/identifiers.js';

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
  'key.rotate',
  'key.revoke',
  'account.export',
  'account.import',
  'job.cancel',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export interface AuditInput {
  action: AuditAction;
  /** UUID of the resource. */
  resourceId: string | null;
  at: Date;
  cause: Cause;
  /** What else is worth knowing; never content, keys or secrets. */
  details?: Record<string, unknown>;
}

/** A row of `audit_log`. */
export interface AuditRow {
  id: string;
  account_id: string;
  action: AuditAction;
  resource_id: string | null;
  user_id: string;
  key_id: string;
  request_id: string;
  client_address: string;
  user_agent: string | null;
  details: Record<string, unknown>;
  created_at: Date;
}

const MAX_USER_AGENT = 300;

/** The entry for a change. Insert it with {@link insertAuditEntries} in the statement or transaction of the change. */
export function auditRow({ action, resourceId, at, cause, details = {} }: AuditInput): AuditRow {
  return {
    id: newUuid(),
    account_id: cause.principal.accountId,
    action,
    resource_id: resourceId,
    user_id: cause.principal.user.id,
    key_id: cause.principal.keyId,
    request_id: cause.requestId,
    client_address: cause.clientAddress,
    user_agent: cause.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
    details,
    created_at: at,
  };
}

/**
 * Inserts audit rows given as a JSON array; `placeholder` is the parameter, such as `$3`. `condition` may leave some
 * out, such as entries of changes that were not made: `WHERE resource_id IN (SELECT id FROM changed)`.
 */
export const insertAuditEntries = (placeholder: string, condition = '') =>
  `INSERT INTO audit_log (id, account_id, action, resource_id, user_id, key_id, request_id, client_address, user_agent,
                          details, created_at)
   SELECT id, account_id, action, resource_id, user_id, key_id, request_id, client_address, user_agent, details,
          created_at
     FROM json_to_recordset(${placeholder}::json) AS entry (
       id uuid, account_id uuid, action text, resource_id uuid, user_id uuid, key_id uuid, request_id text,
       client_address text, user_agent text, details json, created_at timestamptz) ${condition}`;
